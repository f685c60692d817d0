import { Link } from '@tanstack/react-router'
import { EmojiId } from '../../design/emoji-id.tsx'
import { WholePrice } from '../../design/whole-price.tsx'

type Tile = { emoji_id: string; price?: number | null }
type Props = {
  ids: readonly Tile[]
  onChoose: () => void
}

const colours = [
  'bg-[light-dark(#ffe9d6,#3a2616)]',
  'bg-[light-dark(#dcf3ff,#12303f)]',
  'bg-[light-dark(#ffe1ec,#3d1a2a)]',
  'bg-[light-dark(#e2f7e1,#17331d)]',
  'bg-[light-dark(#ece4ff,#2a2145)]',
  'bg-[light-dark(#fff5c9,#37300f)]',
]

/** Ids as art, each with a link to its search. */
export const IdTiles = ({ ids, onChoose }: Props) => (
  <ul className="flex flex-wrap gap-2">
    {ids.map(({ emoji_id, price }, nth) => (
      <li key={emoji_id} className="max-w-64 grow">
        <Link
          to="/"
          search={{ q: emoji_id }}
          onClick={onChoose}
          className={`grid h-full min-h-16 place-content-center justify-items-center gap-1.5 rounded-2xl px-2 py-3 text-ink no-underline shadow-xs transition-transform hover:-translate-y-0.5 hover:shadow-md ${colours[nth % colours.length]}`}
        >
          <EmojiId id={emoji_id} size="small" isLazy />
          {price ? (
            <span className="font-medium text-sm">
              <WholePrice cents={price} />
            </span>
          ) : null}
        </Link>
      </li>
    ))}
  </ul>
)
