import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

type Mode =
  | 'answer'
  /** 500 to everybody. */
  | 'fail'
  /** Takes requests and says nothing. */
  | 'hang'
  /** 200 with a page instead of a verdict. */
  | 'babble'

const secret = 'the secret of this site'

/** A real server that speaks reCAPTCHA's `siteverify`: each solution is good once, for one host. */
export async function recaptchaServer() {
  const spent = new Set<string>()
  const hosts = new Map<string, string>()
  const asked: URLSearchParams[] = []
  let mode: Mode = 'answer'
  let count = 0

  const judge = (form: URLSearchParams) => {
    const refuse = (word: string) => ({ success: false, 'error-codes': [word] })
    const solution = form.get('response') ?? ''
    const hostname = hosts.get(solution)
    if (form.get('secret') !== secret) return refuse('invalid-input-secret')
    if (!hostname) return refuse('invalid-input-response')
    if (spent.has(solution)) return refuse('timeout-or-duplicate')
    spent.add(solution)
    return { success: true, challenge_ts: new Date().toISOString(), hostname }
  }
  const answer = (response: ServerResponse, form: URLSearchParams) => {
    asked.push(form)
    if (mode === 'hang') return
    response.statusCode = mode === 'fail' ? 500 : 200
    response.end(mode === 'babble' ? '<p>Sorry</p>' : JSON.stringify(judge(form)))
  }
  const server = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    answer(response, new URLSearchParams(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  return {
    env: {
      RECAPTCHA_SECRET: secret,
      RECAPTCHA_URL: `http://127.0.0.1:${port}/recaptcha/api/siteverify`,
    },
    asked,
    /** What a person's browser is given for solving one on a site. */
    solve(hostname = 'localhost'): string {
      const solution = `solution-${++count}`
      hosts.set(solution, hostname)
      return solution
    },
    behave(next: Mode) {
      mode = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
