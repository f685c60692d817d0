type Outcome = 'passed' | 'refused' | 'away'

/** Tells people from programs, by what the person's browser was given. */
export type Captcha = (solution: string | undefined, address: string) => Promise<Outcome>

/** What pages show it with. */
export type CaptchaWidget = Readonly<{ site_key: string; script_url: string }>

/** Where no captcha is set up, everybody passes. */
export const noCaptcha: Captcha = async () => 'passed'

type Options = { url: string; secret: string; hostnames: readonly string[] }

const patienceMs = 2_000
const longestSolution = 4_096

/** reCAPTCHA's `siteverify`, which also refuses solutions that were used before. */
export function createRecaptcha({ url, secret, hostnames }: Options): Captcha {
  return async (solution, address) => {
    if (!solution || solution.length > longestSolution) return 'refused'
    try {
      const answer = await fetch(url, {
        method: 'POST',
        body: new URLSearchParams({ secret, response: solution, remoteip: address }),
        signal: AbortSignal.timeout(patienceMs),
      })
      if (!answer.ok) return 'away'
      const { success, hostname } = (await answer.json()) as Record<string, unknown>
      const isOurs = typeof hostname === 'string' && hostnames.includes(hostname)
      return success === true && isOurs ? 'passed' : 'refused'
    } catch {
      return 'away'
    }
  }
}
