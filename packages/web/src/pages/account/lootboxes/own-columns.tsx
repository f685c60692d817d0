import { Link } from '@tanstack/react-router'
import type { Lootbox } from '../../../api/shop.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { texts as accountTexts } from '../texts.ts'
import { texts } from './texts.ts'

export const nameOfBox = ({ lootbox_type }: Lootbox): string => lootbox_type?.name ?? texts.gift

/** The start of the seal distinguishes boxes of one type. */
export const BoxName = ({ box }: { box: Lootbox }) => (
  <span className="grid gap-0.5">
    <span className="font-semibold wrap-anywhere">{nameOfBox(box)}</span>
    <span className="font-mono text-sm text-soft">{box.seed_hash.slice(0, 8)}</span>
  </span>
)

type LinkProps = { box: Lootbox; text: string; look: 'main' | 'second' }

export const BoxLink = ({ box, text, look }: LinkProps) => (
  <Link to="/account/lootboxes/$id" params={{ id: box.id }} className={buttonLook(look)}>
    {text}
    <span className="sr-only">
      : {nameOfBox(box)} {box.seed_hash.slice(0, 8)}
    </span>
  </Link>
)

export const ownColumns: Column<Lootbox>[] = [
  { title: texts.columns.box, show: (box) => <BoxName box={box} /> },
  { title: texts.columns.contents, show: (box) => <Contents box={box} /> },
  {
    title: texts.columns.state,
    show: ({ status }) => (
      <Badge tone={status === 'Owned' ? 'main' : 'plain'}>
        {accountTexts.boxes.statuses[status]}
      </Badge>
    ),
  },
  {
    title: texts.actions,
    isAtEnd: true,
    isAction: true,
    show: (box) =>
      box.status === 'Owned' ? (
        <BoxLink box={box} text={texts.look.closed} look="main" />
      ) : (
        <BoxLink box={box} text={texts.look.opened} look="second" />
      ),
  },
]

const shownAtMost = 3

function Contents({ box: { status, yats, lootbox_type } }: { box: Lootbox }) {
  // Operators could see the contents of their own boxes; hide them until they are opened.
  if (status !== 'Used') {
    return lootbox_type
      ? accountTexts.boxes.ids(lootbox_type.config.size)
      : accountTexts.boxes.secret
  }
  const hidden = yats.length - shownAtMost
  return (
    <span className="inline-grid justify-items-end gap-1.5 md:justify-items-start">
      {yats.slice(0, shownAtMost).map((id) => (
        <EmojiId key={id} id={id} size="small" />
      ))}
      {hidden > 0 ? <span className="text-sm text-soft">{texts.more(hidden)}</span> : null}
    </span>
  )
}
