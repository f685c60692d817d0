import { emojisOf, type HeldBack, heldBackEmojis, parseEmojiId } from '@emojid/core'
import { nameOf } from '../../design/emoji-id.tsx'
import { texts } from './texts.ts'

function reasonOf({ reason, conflicts_with }: HeldBack): string {
  const text = texts.heldBack[reason as keyof typeof texts.heldBack]
  return typeof text === 'function' ? text(nameOf(conflicts_with ?? '')) : text
}

/** The unreleased emojis of an id, with reasons. */
export const HeldBackReasons = ({ id }: { id: string }) => (
  <>
    {[...new Set(emojisOf(parseEmojiId(id)))].map((emoji) => {
      const held = heldBackEmojis().get(emoji)
      return held ? (
        <p key={emoji} className="text-soft">
          <b className="first-letter:uppercase">{nameOf(emoji)}</b>: {reasonOf(held)}
        </p>
      ) : null
    })}
  </>
)
