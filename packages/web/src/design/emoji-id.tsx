import {
  displayFormat,
  emojisOf,
  type EmojiId as Id,
  nameOfEmoji,
  parseTonedEmojiId,
  SHEET_COLUMNS,
  type SheetPlace,
  sheetPath,
  sheetPlace,
  spokenNames,
} from '@emojid/core'
import { useState } from 'react'

const sizes = {
  /** Inline with text. */
  text: 'text-[1.2em] align-[-0.2em]',
  small: 'text-2xl',
  normal: 'text-4xl',
  large: 'text-[min(3.75rem,12vw)]',
}

/** The URL of the art of one emoji, with its skin tone. */
export const artOf = (emoji: string): string =>
  `/art/${[...emoji.replace('\uFE0F', '')].map((part) => part.codePointAt(0)?.toString(16)).join('-')}.svg`

type EmojiProps = {
  emoji: string
  isLarge?: boolean
  /** Out of sight at first: its sheet waits for what people look at. */
  isLazy?: boolean
}

/** One emoji as art; the text below it is what gets copied. */
export function Emoji({ emoji, isLarge = false, isLazy = false }: EmojiProps) {
  const [isSheetMissing, setSheetMissing] = useState(false)
  const place = isLarge || isSheetMissing ? undefined : sheetPlace(emoji)
  return (
    <span className="relative inline-block size-[1em] overflow-hidden align-[-0.125em] leading-none">
      <img
        {...(place ? partOf(place) : { src: artOf(emoji), className: 'block size-full' })}
        alt={nameOfEmoji(emoji)}
        draggable={false}
        onError={() => setSheetMissing(true)}
        {...(isLazy ? ({ loading: 'lazy', fetchPriority: 'low' } as const) : {})}
      />
      <span className="absolute inset-0 opacity-0">{emoji}</span>
    </span>
  )
}

/**
 * A part of a sprite sheet: a hundred single images block a phone for seconds. Not a CSS background,
 * because Chromium sends the page URL as its referrer regardless of the referrer policy.
 */
const partOf = ({ sheet, column, row, rows }: SheetPlace) => ({
  src: sheetPath(sheet),
  className: 'absolute max-w-none',
  style: {
    width: `${SHEET_COLUMNS}em`,
    height: `${rows}em`,
    left: `-${column}em`,
    top: `-${row}em`,
  },
})

type Props = { id: string; size?: keyof typeof sizes; isLazy?: boolean }

/** An id as art, with one label for screen readers, copied as text. */
export function EmojiId({ id: display, size = 'normal', isLazy = false }: Props) {
  const { id, tones } = parseTonedEmojiId(display)
  const emojis = emojisOf(id).map((emoji, nth) => displayFormat(emoji as Id, [tones[nth]]))
  return (
    <span
      role="img"
      aria-label={`emoji id: ${spokenNames(display)}`}
      className={`inline-flex gap-[0.1em] leading-none ${sizes[size]}`}
    >
      {emojis.map((emoji, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an emoji is identified by its position
        <Emoji key={nth} emoji={emoji} isLarge={size === 'large'} isLazy={isLazy} />
      ))}
    </span>
  )
}
