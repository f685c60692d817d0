import type { Dispatcher } from 'undici'
import { type FetcherOptions, pinnedClient, readAddress, resolveAllowed } from './reach.ts'

export type PostAnswer = {
  status: number
  /** The Retry-After header. */
  retry_after: string | undefined
  /** The beginning of the body, without control characters. */
  text: string
}

/**
 * `not_allowed`: the address is not public. It is not told apart from an unknown name. `busy`: the
 * caller does not admit one more connection to the addresses.
 */
export type PostFailure = 'not_allowed' | 'busy' | 'timeout' | 'connection' | 'bad_answer'

/** Decides before a connection, by the addresses with their port. */
export type Admit = (addresses: readonly string[]) => boolean

export type PostOutcome = { answer: PostAnswer } | { failure: PostFailure }

export type Poster = {
  /** Whether every address of the host may be reached now. */
  mayReach(address: string): Promise<boolean>
  post(
    address: string,
    headers: Record<string, string>,
    body: string,
    admit?: Admit,
  ): Promise<PostOutcome>
}

const usualDeliveryMs = 15_000
const resolveMs = 3_000
const readAtMost = 1_024
/** The status is enough: a server must not hold the connection with a slow body. */
const readMs = 1_000

/**
 * Sends bodies to addresses from users (SSRF protection). Each time the name is resolved once, all
 * its addresses are checked, and only those are connected to. It follows no redirects.
 */
export function createPoster(options: FetcherOptions = {}): Poster {
  const { deliveryMs = usualDeliveryMs } = options

  const post: Poster['post'] = async (address, headers, body, admit = () => true) => {
    const signal = AbortSignal.timeout(deliveryMs)
    try {
      const url = readAddress(address)
      const addresses = url && (await resolveAllowed(options, url, signal))
      if (!addresses) return { failure: 'not_allowed' }
      const isAdmitted = admit(addresses.map((one) => `${one} ${url.port}`))
      if (!isAdmitted) return { failure: 'busy' }
      return { answer: await send(url, addresses, { headers, body, signal, deliveryMs }) }
    } catch (error) {
      if (signal.aborted) return { failure: 'timeout' }
      return { failure: isBadAnswer(error) ? 'bad_answer' : 'connection' }
    }
  }

  return {
    async mayReach(address) {
      const url = readAddress(address)
      const signal = AbortSignal.timeout(Math.min(resolveMs, deliveryMs))
      if (!url) return false
      return (await resolveAllowed(options, url, signal).catch(() => undefined)) !== undefined
    },
    post,
  }
}

type SentRequest = {
  headers: Record<string, string>
  body: string
  signal: AbortSignal
  deliveryMs: number
}

async function send(
  url: URL,
  addresses: readonly string[],
  { headers, body, signal, deliveryMs }: SentRequest,
): Promise<PostAnswer> {
  const client = await pinnedClient(url, addresses, deliveryMs)
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      signal,
      headers,
      body,
    })
    // The body may fail before it is read.
    answer.body.on('error', () => {})
    return {
      status: answer.statusCode,
      retry_after: firstOf(answer.headers['retry-after']),
      text: await readText(answer.body),
    }
  } finally {
    // The rest of a long body is not read.
    void client.destroy().catch(() => {})
  }
}

/** The beginning of the body. A body that breaks off or never ends does not change the status. */
async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const end = setTimeout(() => body.destroy(), readMs)
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= readAtMost) break
    }
  } catch {
    // The status has arrived; the log shows the part that was read.
  } finally {
    clearTimeout(end)
  }
  const bytes = Buffer.concat(chunks).subarray(0, readAtMost)
  const text = new TextDecoder().decode(bytes)
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (one) => (/[\n\t]/.test(one) ? one : ' '))
}

const firstOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header.slice(0, 100) : undefined

const isBadAnswer = (error: unknown): boolean => {
  const { code = '', name = '' } = error as { code?: string; name?: string }
  return (
    name === 'HTTPParserError' || code.startsWith('HPE_') || code === 'UND_ERR_HEADERS_OVERFLOW'
  )
}
