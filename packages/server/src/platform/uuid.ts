import { createHmac } from 'node:crypto'

/** True for a UUID; PostgreSQL rejects any other text as an id. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value)

/** A UUID of version 8 (RFC 9562) for these texts, which reveals none of them without the key. */
export function deriveUuid(key: Buffer, ...texts: readonly string[]): string {
  const bytes = createHmac('sha256', key).update(JSON.stringify(texts)).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
