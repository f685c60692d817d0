import { DataTable } from '../../../design/data-table.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { reportColumns } from '../reports/columns.tsx'
import type { IdOverview } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.reports

export const ReportsPanel = ({ reports }: { reports: IdOverview['reports'] }) => (
  <ListPanel title={texts.title}>
    <DataTable
      caption={texts.caption}
      columns={reportColumns}
      rows={reports}
      keyOf={({ id }) => id}
      empty={texts.none}
    />
  </ListPanel>
)
