import { emojisOf, parseTonedEmojiId } from '@emojid/core'
import { useEffect, useState } from 'react'
import { artOf } from '../../../design/emoji-id.tsx'
import './celebration.css'

const bits = 28
const shownForMs = 2_600

/** Animates the emojis of an opened box once. Hidden from screen readers and off with reduced motion. */
export function Celebration({ ids }: { ids: readonly string[] }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), shownForMs)
    return () => clearTimeout(timer)
  }, [])
  const emojis = ids.flatMap((id) => emojisOf(parseTonedEmojiId(id).id))
  if (isOver || emojis.length === 0) return null
  return (
    <div
      aria-hidden="true"
      data-celebration
      className="pointer-events-none fixed inset-0 z-10 overflow-hidden motion-reduce:hidden"
    >
      {Array.from({ length: bits }, (_, nth) => (
        <img
          // biome-ignore lint/suspicious/noArrayIndexKey: the pieces are interchangeable
          key={nth}
          src={artOf(emojis[nth % emojis.length] ?? '')}
          alt=""
          className="lootbox-bit absolute top-1/2 left-1/2 size-9"
          style={flightOf(nth)}
        />
      ))}
    </div>
  )
}

/** Alternates near and far positions on a circle. */
function flightOf(nth: number): React.CSSProperties {
  const angle = (nth / bits) * 2 * Math.PI
  const reach = 24 + ((nth * 7) % 5) * 7
  return {
    '--to-x': `${Math.cos(angle) * reach}vmax`,
    '--to-y': `${Math.sin(angle) * reach}vmax`,
    '--turn': `${(nth % 2 ? 1 : -1) * (120 + ((nth * 37) % 240))}deg`,
    animationDelay: `${(nth % 4) * 90}ms`,
  } as React.CSSProperties
}
