import {
  displayFormat,
  emojisOf,
  type EmojiId as Id,
  parseTonedEmojiId,
  SHEET_COLUMNS,
  sheetPlace,
  slugOf,
} from '@emojid/core'
import type { CSSProperties } from 'react'

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
  <span
    className="relative inline-block size-[1em] overflow-hidden align-[-0.125em] leading-none [print-color-adjust:exact]"
    style={isLarge ? undefined : smallArt(emoji)}
  >
    {isLarge ? (
      <img src={artOf(emoji)} alt={nameOf(emoji)} className="block size-full" draggable={false} />
    ) : null}
    <span className="absolute inset-0 opacity-0">{emoji}</span>
  </span>
)

/** Its part of a sheet of pictures. A hundred single ones keep a phone busy for seconds. */
function smallArt(emoji: string): CSSProperties {
  const place = sheetPlace(emoji)
  if (!place) return {}
  const { sheet, column, row, rows } = place
  const left = (column / (SHEET_COLUMNS - 1)) * 100
  const top = (row / Math.max(rows - 1, 1)) * 100
  return {
    backgroundImage: `url(/art/sheets/${sheet}.webp)`,
    backgroundSize: `${SHEET_COLUMNS * 100}% ${rows * 100}%`,
    backgroundPosition: `${left}% ${top}%`,
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
