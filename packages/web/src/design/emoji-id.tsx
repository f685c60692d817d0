import {
  displayFormat,
  emojisOf,
  type EmojiId as Id,
  parseTonedEmojiId,
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

/** Where the art of one emoji is, with its tone; as `webp` for places of up to 48 pixels. */
export const artOf = (emoji: string, form: 'svg' | 'webp' = 'svg'): string =>
  `/art/${[...emoji.replace('\uFE0F', '')].map((part) => part.codePointAt(0)?.toString(16)).join('-')}.${form}`

/** One emoji as everybody sees it; the text under the art is what is copied. */
export const Emoji = ({ emoji, isLarge = false }: { emoji: string; isLarge?: boolean }) => (
  <span className="relative inline-block size-[1em] overflow-hidden align-[-0.125em] leading-none">
    <img
      // Drawings take browsers so long that a hundred of them keep a telephone busy for seconds.
      src={artOf(emoji, isLarge ? 'svg' : 'webp')}
      alt={nameOf(emoji)}
      className="block size-full"
      draggable={false}
    />
    <span className="absolute inset-0 opacity-0">{emoji}</span>
  </span>
)

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
