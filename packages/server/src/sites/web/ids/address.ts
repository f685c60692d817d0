import { type EmojiId, MAX_EMOJIS, parseEmojiId } from '@emojid/core'

/** An address that begins with an id, in the parts in which it was sent. */
export type Asked = {
  /** Percent-encoded, as all of it is. */
  segment: string
  /** What follows the id, from its slash on; a slash alone is nothing. */
  path: string
  query: string
}

export function readAsked(url: string): Asked {
  const [whole = '', ...queries] = url.split('?')
  const [, segment = '', ...rest] = whole.split('/')
  const path = rest.join('/')
  return { segment, path: path === '' ? '' : `/${path}`, query: queries.join('?') }
}

/** The one address of an id. */
export const addressOf = (webUrl: string, id: EmojiId): string =>
  `${webUrl}/${encodeURIComponent(id)}`

/** What was asked for, with the id spelled as everybody should spell it. */
export const spelledRight = (id: EmojiId, { path, query }: Asked): string =>
  `${addressOf('', id)}${path}${query === '' ? '' : `?${query}`}`

/** Where somebody looks for an id, and can get it. */
export const searchFor = (webUrl: string, text: string): string =>
  text === '' ? `${webUrl}/` : `${webUrl}/?q=${encodeURIComponent(text)}`

/** The emojis of a text that ids can use; none where some are joined to others, or do not fit. */
export function usableIn(text: string): string {
  if (text.includes('\u200D')) return ''
  const usable = [...text].map(asEmoji).filter(Boolean)
  return usable.length > MAX_EMOJIS ? '' : usable.join('')
}

/** A character as an emoji of the alphabet; nothing where it is none. */
function asEmoji(character: string): string {
  try {
    return parseEmojiId(character)
  } catch {
    return ''
  }
}
