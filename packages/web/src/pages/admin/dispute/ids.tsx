import { Link } from '@tanstack/react-router'
import { Badge } from '../../../design/badge.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { DisputeDecision, isSigned } from './decide.tsx'
import type { DisputeFacts } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.ids
type Id = DisputeFacts['ids'][number]

/** The ids of the order and their owners. */
export const Ids = ({ dispute }: { dispute: DisputeFacts }) => (
  <ListPanel title={texts.title} text={dispute.status === 'lost' ? texts.textLost : texts.text}>
    <DataTable
      caption={texts.caption}
      columns={columnsFor(dispute)}
      rows={dispute.ids}
      keyOf={({ emoji_id }) => emoji_id}
      empty={texts.none}
    />
  </ListPanel>
)

const columnsFor = (dispute: DisputeFacts): Column<Id>[] => [
  {
    title: texts.columns.id,
    show: ({ display_format }) => <EmojiId id={display_format} size="small" />,
  },
  { title: texts.columns.where, show: (id) => <OwnerCell {...id} /> },
  { title: texts.columns.state, show: (id) => <StateCell {...id} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    show: (id) => (id.frozen ? <DisputeDecision dispute={dispute} id={id} /> : '—'),
  },
]

const describePlace = ({ place, owner }: Pick<Id, 'place' | 'owner'>) => {
  if (place === 'buyer' || place === 'organization') return texts.places[place]
  return owner ? texts.places.other : texts.places.unknown
}

const OwnerCell = ({ place, owner, organization, handed_on }: Id) => (
  <>
    {describePlace({ place, owner })}{' '}
    {place !== 'buyer' && owner ? <PersonLink id={owner.id} email={owner.email} /> : null}
    {organization?.name}
    <TransferHistory moves={handed_on} />
  </>
)

/** The transfers of an id since the purchase. */
const TransferHistory = ({ moves }: { moves: Id['handed_on'] }) =>
  moves.length === 0 ? null : (
    <ul className="mt-1 grid gap-1 text-sm text-soft">
      {moves.map(({ at, to }) => (
        <li key={at}>
          {texts.handedOn} <When at={at} isExact /> {texts.to}{' '}
          {to ? <PersonLink id={to.id} email={to.email} /> : texts.unknown}
        </li>
      ))}
    </ul>
  )

const StateCell = ({ frozen, minted, signed_until }: Id) => (
  <span className="grid justify-items-start gap-1">
    <span className="flex flex-wrap gap-2">
      <Badge tone={frozen ? 'main' : 'good'}>{frozen ? texts.frozen : texts.free}</Badge>
      {minted ? <Badge>{texts.minted}</Badge> : null}
    </span>
    {signed_until && isSigned({ signed_until }) ? (
      <span className="text-sm text-soft">
        {texts.signed} <When at={signed_until} isExact />{' '}
        <Link to="/admin/tokens" className="text-main underline underline-offset-4">
          {texts.who}
        </Link>
      </span>
    ) : null}
  </span>
)
