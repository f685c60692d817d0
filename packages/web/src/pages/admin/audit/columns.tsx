import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import type { AuditEntry } from './queries.ts'
import { RawData } from './raw-data.tsx'
import { Sentence } from './sentence.tsx'
import { texts } from './texts.ts'

export const auditColumns: Column<AuditEntry>[] = [
  {
    title: texts.columns.what,
    show: (entry) => (
      <span className="grid gap-2">
        <Sentence entry={entry} />
        <RawData entry={entry} />
      </span>
    ),
  },
  {
    title: texts.columns.when,
    show: ({ at }) => (
      <span className="whitespace-nowrap">
        <When at={at} isExact />
      </span>
    ),
  },
]
