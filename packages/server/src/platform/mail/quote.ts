const longest = 60
/**
 * A part of a word that email programs turn into a link. The pattern does not match the rest of the
 * word: around an unbounded `\S*` it takes quadratic time.
 */
const linkLike = /:\/\/|www[.。．｡]|[\p{L}\p{N}-][.。．｡]\p{L}{2,}/iu

/** True for one word that is not like a link. */
export const isOneWord = (text: string): boolean =>
  !linkLike.test(text) && !/[\p{Cc}\p{Bidi_Control}\s“”„"]/u.test(text)

/** Quotes a user's text in our mail: it must not read as ours, nor become a link. */
export function quote(text: string, atMost = longest): string {
  const plain = text
    .split(/(\s+)/)
    .map((word) => (linkLike.test(word) ? '…' : word))
    .join('')
    .replaceAll(/[“”„"]/g, '’')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
  const letters = [...plain]
  return `“${letters.length > atMost ? `${letters.slice(0, atMost).join('')}…` : plain}”`
}
