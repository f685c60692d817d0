import { Badge, type Tone } from '../../../design/badge.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import type { IdOverview } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.transfers
type Transfer = NonNullable<IdOverview['transfers']>[number]

export const TransfersPanel = ({ transfers }: { transfers: readonly Transfer[] }) => (
  <ListPanel title={texts.title}>
    <DataTable
      caption={texts.caption}
      columns={columns}
      rows={transfers}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  </ListPanel>
)

const tones: Partial<Record<Transfer['status'], Tone>> = { accepted: 'good', closed: 'plain' }

const columns: Column<Transfer>[] = [
  {
    title: texts.columns.from,
    show: ({ sender_id, sender_email }) => <PersonLink id={sender_id} email={sender_email} />,
  },
  {
    title: texts.columns.to,
    isLong: true,
    show: ({ recipient_id, recipient_email }) =>
      recipient_id ? <PersonLink id={recipient_id} email={recipient_email} /> : texts.organization,
  },
  {
    title: texts.columns.state,
    show: ({ status }) => <Badge tone={tones[status] ?? 'main'}>{texts.states[status]}</Badge>,
  },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.done,
    show: ({ accepted_at }) => (accepted_at ? <When at={accepted_at} /> : '—'),
  },
]
