import type { StoredRecord } from '../../../../api/records.ts'
import { Badge } from '../../../../design/badge.tsx'
import { titleOf } from '../../../../records/names.ts'
import { partsOf } from '../../../../records/parts.ts'
import { shownOfSeveral } from '../../../../records/shown.ts'
import { texts } from './texts.ts'

/** Records in their new order, with the address that payers will see if a currency has several. */
export const OrderedRecords = ({ records }: { records: readonly StoredRecord[] }) => (
  <ol className="grid list-decimal gap-1 pl-6 text-sm">
    {records.map((record) => (
      <li key={record.hash} className="wrap-anywhere">
        {titleOf(record)}: <span dir="auto">{partsOf(record).text}</span>{' '}
        {shownOfSeveral(record, records) === record ? (
          <Badge tone="good">{texts.willShow}</Badge>
        ) : null}
      </li>
    ))}
  </ol>
)
