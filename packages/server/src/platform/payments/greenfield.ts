import { providerAway, RefusedError } from './gateway.ts'

type Options = { url: string; apiKey: string; patience?: number | undefined }

// Below the time limit of requests; jobs retry.
const limitMs = 4_000
const passing = new Set([408, 425, 429])
const isRefusal = ({ status }: Response): boolean => status === 400 || status === 422

/** Calls BTCPay's Greenfield API. Errors name the call and the status, never the content. */
export function createGreenfield({ url, apiKey, patience = 1 }: Options) {
  const base = `${url.replace(/\/+$/, '')}/api/v1`

  async function call(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(base + path, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(limitMs * patience),
      headers: { authorization: `token ${apiKey}`, 'content-type': 'application/json' },
      ...(body ? { body: JSON.stringify(body) } : {}),
    }).catch(() => {
      throw providerAway()
    })
    if (answer.status < 500 && !passing.has(answer.status)) return answer
    await answer.body?.cancel()
    throw providerAway()
  }

  async function read<Answer>(answer: Response, subject: string): Promise<Answer> {
    if (!answer.ok) {
      await answer.body?.cancel()
      const message = `BTCPay refused to ${subject}: ${answer.status}.`
      // An error of our API key says nothing about the request.
      const isOurFault = answer.status === 401 || answer.status === 403
      throw isOurFault ? new Error(message) : new RefusedError(message)
    }
    // A truncated or non-JSON body comes from something between us and BTCPay.
    return (await answer.json().catch(() => {
      throw providerAway()
    })) as Answer
  }

  const named = (method: string, path: string) => `${method} ${path.split('?', 1)[0]}`

  return {
    get: async <Answer>(path: string): Promise<Answer> =>
      read<Answer>(await call('GET', path), named('GET', path)),

    post: async <Answer>(path: string, body: object): Promise<Answer> =>
      read<Answer>(await call('POST', path, body), named('POST', path)),

    /** A refusal is no error: the current state may forbid the call. */
    async tryPost(path: string, body: object): Promise<void> {
      const answer = await call('POST', path, body)
      if (isRefusal(answer)) await answer.body?.cancel()
      else await read(answer, named('POST', path))
    },

    /** A refusal is no error: the call only cleans up. */
    async tryDelete(path: string): Promise<void> {
      await (await call('DELETE', path)).body?.cancel()
    },
  }
}
