const longest = 60
/**
 * A part of a word that email programs turn into a link. The pattern does not match the rest of the
 * word: around an unbounded `\S*` it takes quadratic time.
 */
const linkLike =
  /[\\/]{2}|www[.。]|[^\s.。][.。][\p{L}\p{M}]{2,}|\d{1,3}(?:[.。]\d{1,3}){3}|\[[\da-f.]{0,9}:[\da-f:.]{0,45}\]|(?:^|\P{L})(?:\d{8,}|0x[\da-f]{1,16})[/:]|(?:^|[^\p{L}])(?:tel|sms|callto|mailto|sip|skype|facetime|whatsapp|tg|geo|maps|bitcoin|ethereum|lightning|magnet|intent|data|javascript|file|ftp|webcal):/iu

/**
 * Seven digits or more, which phones offer to call. Not a date such as 2026-11-19, nor a host whose
 * dots are spelled out (192 . 168).
 */
const phoneLike =
  /\+?(?<!\p{Nd})(?!\d{4}-\d\d-\d\d(?!\p{Nd}))\p{Nd}(?:(?! \. )[\s()./\p{Pd}]{0,3}\p{Nd}){6,}/gu

/** Characters that no program shows, such as zero-width spaces. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu
const visible = (text: string): string => text.replaceAll(invisible, '')

/** Programs that make links see through other forms of a letter or dot, such as U+2024 for a dot. */
const isLink = (text: string): boolean => linkLike.test(visible(text.normalize('NFKC')))

/** U+FEFF counts as a space in patterns and is invisible, so it does not separate words. */
const seenSpaces = /([^\S\uFEFF]+)/

const joinsEmojis = /\p{Extended_Pictographic}/u

/** True for one word that is not like a link. */
export const isOneWord = (text: string): boolean =>
  !isLink(text) && !/[\p{Cc}\p{Bidi_Control}\s“”„"]/u.test(text)

/** Quotes a user's text in our mail: it must not read as ours, nor become a link. */
export function quote(text: string, atMost = longest): string {
  const plain = text
    .split(seenSpaces)
    .map((word) => (isLink(word) ? '…' : joinsEmojis.test(word) ? word : visible(word)))
    .join('')
    .replaceAll(/[“”„"]/g, '’')
    .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
    .replaceAll(phoneLike, '…')
  const letters = [...plain]
  return `“${letters.length > atMost ? `${letters.slice(0, atMost).join('')}…` : plain}”`
}
