import { alphabetIndex, type EmojiId, emojiAlphabet, MAX_EMOJIS } from '@emojid/core'

/** An address that begins with an id, in its parts as sent. */
export type IdAddress = {
  /** Percent-encoded, as all of it is. */
  segment: string
  /** The path after the id, from its slash on; empty for a slash alone. */
  path: string
  query: string
}

export function readIdAddress(url: string): IdAddress {
  const [whole = '', ...queries] = url.split('?')
  const [, segment = '', ...rest] = whole.split('/')
  const path = rest.join('/')
  return { segment, path: path === '' ? '' : `/${path}`, query: queries.join('?') }
}

/** The canonical address of an id. */
export const addressOf = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/${encodeURIComponent(id)}`

/** The form to report an id. */
export const reportAddress = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/report/${encodeURIComponent(id)}`

/** Where the owner edits the id; others are asked to sign in, and read that it is not theirs. */
export const editAddress = (webUrl: string, display: string): string =>
  `${webUrl}/account/ids/${encodeURIComponent(display)}`

/** The requested address with the canonical spelling of the id. */
export const spelledRight = (id: EmojiId, { path, query }: IdAddress): string =>
  `${addressOf('', id)}${path}${query === '' ? '' : `?${query}`}`

/** The page to search for an id and buy it. */
export const searchFor = (webUrl: string, text: string): string =>
  text === '' ? `${webUrl}/` : `${webUrl}/?q=${encodeURIComponent(text)}`

/** The page of the id that a person typed, in emojis or names. */
export const findPath = '/find'

/** A longer text is no mistyped id: its page offers none, and stays cheap. */
export const longestTypedText = 200

/** The emojis of a text that ids can use; empty if some are joined or do not fit. */
export function usableIn(text: string): string {
  if (text.length > longestTypedText || text.includes('\u200D')) return ''
  const usable = [...text].map(asEmoji).filter(Boolean)
  return usable.length > MAX_EMOJIS ? '' : usable.join('')
}

/** A character as an emoji of the alphabet; empty if it is none. */
function asEmoji(character: string): string {
  const index = alphabetIndex(character.codePointAt(0) ?? 0)
  return index === undefined ? '' : (emojiAlphabet[index] ?? '')
}
