import type { Page } from './fetch-page.ts'

/** The text of a page in its declared encoding, or in UTF-8. */
export function textOf({ bytes, content_type }: Pick<Page, 'bytes' | 'content_type'>): string {
  const declared = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(content_type)?.[1]
  const label = byMark(bytes) ?? declared ?? byMeta(bytes) ?? 'utf-8'
  return decoderFor(label).decode(bytes)
}

/** The encoding of the byte order mark. */
function byMark([first, second, third]: Buffer): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined
}

function byMeta(bytes: Buffer): string | undefined {
  const beginning = bytes.subarray(0, 1_024).toString('latin1')
  const label = /<meta[^>]{0,200}charset\s*=\s*["']?\s*([\w:.-]+)/i.exec(beginning)?.[1]
  // Readable as ASCII, so not UTF-16.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function decoderFor(label: string) {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}
