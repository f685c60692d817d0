import { RecordError } from './record-error.ts'
import { checkText } from './text.ts'

const MAX_URL_BYTES = 255

/** An absolute http or https address without credentials. The text is kept as written. */
export function checkUrl(text: string): string {
  checkText(text, MAX_URL_BYTES, 'link')
  if (/[\s\\]/.test(text))
    throw new RecordError('malformed_url', 'A link can’t contain spaces or backslashes.')
  if (!/^https?:\/\//i.test(text))
    throw new RecordError('wrong_scheme', 'A link must begin with https:// or http://.')
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
    throw new RecordError('credentials_in_url', 'A link must not contain a user name or password.')
  return text
}
