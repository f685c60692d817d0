import { RecordError } from './record-error.ts'
import { checkText, isPlainText } from './text.ts'

const MAX_URL_BYTES = 255

/** An absolute http or https address without credentials. The text is kept as written. */
export function checkUrl(text: string): string {
  checkText(text, MAX_URL_BYTES, 'link')
  if (/[\s\\]/.test(text))
    throw new RecordError('malformed_url', 'A link can’t contain spaces or backslashes.')
  if (!/^https?:\/\//i.test(text))
    throw new RecordError('wrong_scheme', 'A link must begin with https:// or http://.')
  if (!URL.canParse(text))
    throw new RecordError('malformed_url', 'This is not a link such as https://example.com.')
  if (hasCredentials(new URL(text), text))
    throw new RecordError('credentials_in_url', 'A link must not contain a user name or password.')
  return text
}

/** The same check without errors, which cost a hundred times as much: pages read many texts. */
export function readUrl(text: string): URL | undefined {
  const isWebAddress = text.length <= MAX_URL_BYTES && /^https?:\/\/[^\s\\]+$/i.test(text)
  if (!isWebAddress || !URL.canParse(text) || !isPlainText(text, MAX_URL_BYTES)) return undefined
  const url = new URL(text)
  return hasCredentials(url, text) ? undefined : url
}

const hasCredentials = ({ username, password }: URL, text: string): boolean =>
  username !== '' || password !== '' || /^[^/?#]*@/.test(text.slice(text.indexOf('//') + 2))
