import { RecordError } from './record-error.ts'
import { checkText } from './text.ts'

const MAX_URL_BYTES = 255

/** An absolute http or https address without user name or password. The text is kept as it was written. */
export function checkUrl(text: string): string {
  checkText(text, MAX_URL_BYTES, 'link')
  if (/[\s\\]/.test(text))
    throw new RecordError('malformed_url', 'A link has no spaces or backslashes.')
  if (!/^https?:\/\//i.test(text))
    throw new RecordError('wrong_scheme', 'A link begins with https:// or http://.')
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new RecordError('malformed_url', 'This is not a link such as https://example.com.')
  }
  if (
    url.username !== '' ||
    url.password !== '' ||
    /^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))
  )
    throw new RecordError('credentials_in_url', 'A link must not hold a user name or password.')
  return text
}
