import { createReadStream } from 'node:fs'
import { UsageError } from '../exit-codes.ts'

/** A file as text, without its byte order mark. Invalid UTF-8 would become other ids and names. */
export async function* readText(path: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(path)) {
      yield decoder.decode(chunk as Buffer, { stream: true })
    }
    yield decoder.decode()
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error
    throw new UsageError('The file is not UTF-8 text. Save it as UTF-8.')
  }
}

export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}
