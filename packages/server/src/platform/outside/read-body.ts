import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'

/** Bodies with another encoding are not read. */
export const acceptedEncodings = 'gzip, br'

const decoders: Record<string, () => Readable & NodeJS.ReadWriteStream> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  'x-gzip': () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
}

/** The beginning of a body, decompressed up to the limit; undefined for an unknown encoding. */
export async function readBeginning(body: Readable, encoding: string, limit: number) {
  if (encoding === '' || encoding === 'identity') return collect(body, limit)
  const decoder = decoders[encoding]?.()
  if (!decoder) return undefined
  let receivedCount = 0
  body.on('data', ({ length }: Buffer) => {
    receivedCount += length
    // A compressed body that yields little: made to waste time.
    if (receivedCount > limit) body.destroy(new Error('Too much was sent'))
  })
  // Each end closes the other; the reader gets the error.
  pipeline(body, decoder, () => {})
  return collect(decoder, limit)
}

async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit)
}
