const longest = 60
/** What programs make a link of that show the mail. */
const linkLike = /\S*(?::\/\/|www[.。．｡]|[\p{L}\p{N}-][.。．｡]\p{L}{2,})\S*/giu

/** Whether a text can stand in a mail as it is: one word that leads nowhere. */
export const isOneWord = (text: string): boolean =>
  text.search(linkLike) < 0 && !/[\p{Cc}\p{Bidi_Control}\s“”„"]/u.test(text)

/** Words of somebody else in a mail of ours: they must not read on as ours, nor lead anywhere. */
export function quote(text: string): string {
  const plain = text
    .replaceAll(linkLike, '…')
    .replaceAll(/[“”„"]/g, '’')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
  const letters = [...plain]
  return `“${letters.length > longest ? `${letters.slice(0, longest).join('')}…` : plain}”`
}
