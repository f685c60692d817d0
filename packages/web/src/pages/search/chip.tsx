import { Emoji, nameOf } from '../../design/emoji-id.tsx'
import type { Piece } from './read-text.ts'
import { texts } from './texts.ts'

type Props = { piece: Piece; onRemove: () => void }

/** A chosen emoji with a remove button. */
export const Chip = ({ piece: { text, fault }, onRemove }: Props) => (
  <li
    className={`flex items-center rounded-xl py-1 pr-1 pl-2 ${fault ? 'bg-wrong-ground ring-2 ring-wrong' : 'bg-card shadow-xs'}`}
  >
    <span className="text-4xl leading-none">{fault ? text : <Emoji emoji={text} />}</span>
    <button
      type="button"
      aria-label={texts.field.remove(fault ? text : nameOf(text))}
      onClick={onRemove}
      className={`ml-1 grid size-7 place-items-center rounded-full hover:bg-tint ${fault ? 'text-wrong' : 'text-soft'}`}
    >
      <svg aria-hidden="true" viewBox="0 0 16 16" className="size-4">
        <path d="m4 4 8 8m0-8-8 8" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round" />
      </svg>
    </button>
  </li>
)
