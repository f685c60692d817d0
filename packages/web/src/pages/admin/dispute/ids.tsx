import type { DisputeFacts } from '../../../api/admin-disputes.ts'
import { Badge } from '../../../design/badge.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { adminTexts } from '../../../texts/en-admin.ts'
import { PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { Decide } from './decide.tsx'

const texts = adminTexts.dispute.ids
type Id = DisputeFacts['ids'][number]

/** Where each id is now. */
export const Ids = ({ dispute }: { dispute: DisputeFacts }) => (
  <ListPanel title={texts.title} text={texts.text}>
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
  { title: texts.columns.where, show: (id) => <Where {...id} /> },
  { title: texts.columns.state, show: (id) => <State {...id} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    show: ({ emoji_id, frozen }) =>
      frozen ? <Decide dispute={dispute} emoji_id={emoji_id} /> : '—',
  },
]

const Where = ({ place, owner, organization }: Id) => (
  <>
    {texts.places[place]}{' '}
    {place === 'somebody' && owner ? (
      <PersonLink id={owner.id} email={owner.email} nameless={adminTexts.users.nameless} />
    ) : null}
    {organization?.name}
  </>
)

const State = ({ frozen, minted, signed_until }: Id) => (
  <span className="grid justify-items-start gap-1">
    <span className="flex flex-wrap gap-2">
      <Badge tone={frozen ? 'main' : 'good'}>{frozen ? texts.frozen : texts.free}</Badge>
      {minted ? <Badge>{texts.minted}</Badge> : null}
    </span>
    {signed_until && new Date(signed_until) > new Date() ? (
      <span className="text-sm text-soft">
        {texts.signed} <When at={signed_until} isExact />
      </span>
    ) : null}
  </span>
)
