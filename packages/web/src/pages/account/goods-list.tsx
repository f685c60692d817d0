import { EmojiId } from '../../design/emoji-id.tsx'
import { texts as sharedTexts } from '../texts.ts'
import { texts } from './texts.ts'

const shownAtMost = 3

type Goods = { id: string; emoji_id?: string | null | undefined }

/** The first ids of an order, and the number of the others. */
export function GoodsList({ goods }: { goods: readonly Goods[] }) {
  const hidden = goods.length - shownAtMost
  return (
    <span className="inline-grid justify-items-end gap-1.5 md:justify-items-start">
      {goods
        .slice(0, shownAtMost)
        .map(({ id, emoji_id }) =>
          emoji_id ? (
            <EmojiId key={id} id={emoji_id} size="small" />
          ) : (
            <span key={id}>{sharedTexts.box}</span>
          ),
        )}
      {hidden > 0 ? <span className="text-sm text-soft">{texts.orders.more(hidden)}</span> : null}
    </span>
  )
}
