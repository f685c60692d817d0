import { emojisOf, type HeldEmoji, heldBackEmojis, parseEmojiId } from '@emojid/core'
import { nameOf } from '../../design/emoji-id.tsx'
import { texts } from './answer-texts.ts'

function reasonOf({ reason, conflicts_with }: HeldEmoji): string {
  const text = texts.heldBack[reason as keyof typeof texts.heldBack]
  return typeof text === 'function' ? text(nameOf(conflicts_with ?? '')) : text
}

/** The unreleased emojis of an id, with reasons. */
export const HeldBackReasons = ({ id }: { id: string }) => (
  <>
    {[...new Set(emojisOf(parseEmojiId(id)))].map((emoji) => {
      const rule = heldBackEmojis().get(emoji)
      return rule ? (
        <p key={emoji} className="text-soft">
          <b className="first-letter:uppercase">{nameOf(emoji)}</b>: {reasonOf(rule)}
        </p>
      ) : null
    })}
  </>
)
