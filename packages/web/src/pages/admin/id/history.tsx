import { DataTable } from '../../../design/data-table.tsx'
import { auditColumns } from '../audit/columns.tsx'
import { ListPanel } from '../parts/panel.tsx'
import type { IdOverview } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.history

export const HistoryPanel = ({ history }: { history: NonNullable<IdOverview['history']> }) => (
  <ListPanel title={texts.title}>
    <DataTable
      caption={texts.caption}
      columns={auditColumns}
      rows={history}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  </ListPanel>
)
