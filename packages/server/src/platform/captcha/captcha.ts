type Outcome = 'passed' | 'refused' | 'away'

/** Verifies the captcha solution of a browser. */
export type Captcha = (solution: string | undefined, address: string) => Promise<Outcome>

/** The data that pages need to show the captcha. */
export type CaptchaWidget = Readonly<{ site_key: string; script_url: string }>

/** Every request passes if no captcha is configured. */
export const noCaptcha: Captcha = async () => 'passed'

type Options = { url: string; secret: string; hostnames: readonly string[] }

const patienceMs = 2_000
const longestSolution = 4_096

/** reCAPTCHA's `siteverify`, which also rejects reused solutions. */
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
