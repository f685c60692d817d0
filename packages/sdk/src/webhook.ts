import { WebhookError } from './errors.ts'

/** An event that the directory pushed. It never has an address: look the id up. */
export type WebhookEvent = {
  type: string
  /** RFC 3339. */
  timestamp: string
  data: {
    emoji_id?: string
    /** Grows with every event of the id. Webhooks arrive in any order: ignore lower versions. */
    version?: number
    tags?: string[]
    [member: string]: unknown
  }
}

type HeaderSource =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

const toleranceSeconds = 5 * 60
const prefix = 'whsec_'

/**
 * Returns the event of a webhook that the directory signed; throws `WebhookError` otherwise. Pass the
 * body exactly as it arrived, before any parsing. Store `webhook-id` to recognize repeated
 * deliveries.
 */
export async function verifyWebhook(
  headers: HeaderSource,
  body: string | Uint8Array,
  secret: string,
): Promise<WebhookEvent> {
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature')
  if (!id || !timestamp || !signatures) {
    throw new WebhookError('missing_header', 'The request lacks a webhook header.')
  }
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN
  if (!(Math.abs(Date.now() / 1_000 - seconds) <= toleranceSeconds)) {
    throw new WebhookError('old', 'The webhook is older than five minutes, or a clock is wrong.')
  }
  const key = await importSecret(secret)
  // A framework that parses JSON passes an object: its bytes are lost.
  if (typeof body !== 'string' && !ArrayBuffer.isView(body)) {
    throw new WebhookError('body', 'Pass the body as it arrived, as text or bytes, not parsed.')
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const content = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  // During a rotation there is one signature per secret.
  for (const part of signatures.split(' ').slice(0, 10)) {
    const [version, text] = part.split(',')
    const signature = version === 'v1' ? fromBase64(text ?? '') : undefined
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, content))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
    }
  }
  throw new WebhookError('signature', 'No signature of the webhook matches this secret.')
}

function readHeader(headers: HeaderSource, name: string): string | undefined {
  if (typeof headers['get'] === 'function') {
    return (headers as { get(name: string): string | null }).get(name) ?? undefined
  }
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === 'string') return value
  }
  return undefined
}

function importSecret(secret: unknown): Promise<CryptoKey> {
  if (typeof secret !== 'string') {
    throw new WebhookError('secret', 'The secret of the webhook is not set.')
  }
  const bytes = fromBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret)
  if (!bytes || bytes.length === 0) {
    throw new WebhookError('secret', 'The secret of a webhook begins with whsec_.')
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}
