import type { StoredRecord } from '../../../../api/records.ts'
import { Badge } from '../../../../design/badge.tsx'
import { Button } from '../../../../design/button.tsx'
import { OrderedRecords } from './ordered-records.tsx'
import { texts } from './texts.ts'

type Props = { records: readonly StoredRecord[]; onTakeBack: () => void }

/** The pending new order, which the owner can undo. */
export const OrderRow = ({ records, onTakeBack }: Props) => (
  <div className="grid gap-2">
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <span className="font-semibold">{texts.order}</span>
      <Badge tone="main">{texts.orderChanged}</Badge>
    </div>
    <OrderedRecords records={records} />
    <div>
      <Button look="quiet" className="-ml-3" onClick={onTakeBack}>
        {texts.takeBack}
        <span className="sr-only">: {texts.order}</span>
      </Button>
    </div>
  </div>
)
