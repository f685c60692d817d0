import { createHash } from 'node:crypto'

/** A strong ETag: the same bytes have the same one, in every process. */
export function etagOf(body: Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`
}

/** Whether the asker has these bytes already. Our ETags are quoted and hold neither comma nor quote. */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return ifNoneMatch !== undefined && (ifNoneMatch.trim() === '*' || ifNoneMatch.includes(etag))
}
