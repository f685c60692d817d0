import {
  displayFormat,
  emojisOf,
  type EmojiId as Id,
  parseTonedEmojiId,
  SHEET_COLUMNS,
  sheetPlace,
  slugOf,
} from '@emojid/core'

const sizes = {
  /** Among words. */
  text: 'text-[1.2em] align-[-0.2em]',
  small: 'text-2xl',
  normal: 'text-4xl',
  large: 'text-[min(3.75rem,12vw)]',
}

export const nameOf = (emoji: string): string => slugOf(emoji)?.replaceAll('-', ' ') ?? emoji

/** What an id is called when it is read out. */
export const spokenNames = (display: string): string =>
  emojisOf(parseTonedEmojiId(display).id).map(nameOf).join(', ')

/** Where the drawing of one emoji is, with its tone. */
export const artOf = (emoji: string): string =>
  `/art/${[...emoji.replace('\uFE0F', '')].map((part) => part.codePointAt(0)?.toString(16)).join('-')}.svg`

/** One emoji as everybody sees it; the text under the art is what is copied. */
export const Emoji = ({ emoji, isLarge = false }: { emoji: string; isLarge?: boolean }) => (
  <span className="relative inline-block size-[1em] overflow-hidden align-[-0.125em] leading-none">
    <img
      {...(isLarge ? { src: artOf(emoji), className: 'block size-full' } : smallArt(emoji))}
      alt={nameOf(emoji)}
      draggable={false}
    />
    <span className="absolute inset-0 opacity-0">{emoji}</span>
  </span>
)

/**
 * Its part of a sheet of pictures: a hundred single ones keep a phone busy for seconds. Not as a
 * background, with which Chromium tells the address of the page whatever the referrer policy is.
 */
function smallArt(emoji: string) {
  const place = sheetPlace(emoji)
  if (!place) return { src: artOf(emoji), className: 'block size-full' }
  const { sheet, column, row, rows } = place
  return {
    src: `/art/sheets/${sheet}.webp`,
    className: 'absolute max-w-none',
    style: {
      width: `${SHEET_COLUMNS}em`,
      height: `${rows}em`,
      left: `-${column}em`,
      top: `-${row}em`,
    },
  }
}

type Props = { id: string; size?: keyof typeof sizes }

/** An id: the same art everywhere, read as one label, copied as text. */
export function EmojiId({ id: display, size = 'normal' }: Props) {
  const { id, tones } = parseTonedEmojiId(display)
  const emojis = emojisOf(id).map((emoji, nth) => displayFormat(emoji as Id, [tones[nth]]))
  return (
    <span
      role="img"
      aria-label={`emoji id: ${spokenNames(display)}`}
      className={`inline-flex gap-[0.1em] leading-none ${sizes[size]}`}
    >
      {emojis.map((emoji, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the place of an emoji is what it is
        <Emoji key={nth} emoji={emoji} isLarge={size === 'large'} />
      ))}
    </span>
  )
}
