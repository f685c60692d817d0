const longest = 60
/** Text that email programs turn into a link. */
const linkLike = /\S*(?::\/\/|www[.。．｡]|[\p{L}\p{N}-][.。．｡]\p{L}{2,})\S*/giu

/** True for one word that is not like a link. */
export const isOneWord = (text: string): boolean =>
  text.search(linkLike) < 0 && !/[\p{Cc}\p{Bidi_Control}\s“”„"]/u.test(text)

/** Quotes a user's text in our mail: it must not read as ours, nor become a link. */
export function quote(text: string, atMost = longest): string {
  const plain = text
    .replaceAll(linkLike, '…')
    .replaceAll(/[“”„"]/g, '’')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
  const letters = [...plain]
  return `“${letters.length > atMost ? `${letters.slice(0, atMost).join('')}…` : plain}”`
}
