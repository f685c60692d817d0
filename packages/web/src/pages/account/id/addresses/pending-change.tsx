import { useQuery, useQueryClient } from '@tanstack/react-query'
import { announce } from '../../../../design/announcements.ts'
import { Button } from '../../../../design/button.tsx'
import { When } from '../../../../design/date.tsx'
import { Card, ErrorOf } from '../../../../design/feedback.tsx'
import { useAction } from '../../../../design/use-action.ts'
import { pairUp } from '../../../../records/diff.ts'
import { DiffRow } from '../diff-rows.tsx'
import { OrderedRecords } from './ordered-records.tsx'
import { cancelChange, delayLockQuery } from './queries.ts'
import { delayLockTexts as texts } from './texts.ts'

/** The change that the delay lock holds, and a button to cancel it. */
export function PendingChange({ id }: { id: string }) {
  const queries = useQueryClient()
  const { data } = useQuery(delayLockQuery(id))
  const cancel = useAction({
    mutationFn: () => cancelChange(id),
    onSuccess: () => announce(texts.cancelled),
    onSettled: () => queries.invalidateQueries({ queryKey: ['records', id] }),
  })
  if (!data?.waiting) return <ErrorOf thrown={cancel.error} />
  const { changes_at, by, removed, added, order } = data.waiting
  return (
    <Card className="grid gap-5">
      <div>
        <h2>
          {texts.waiting} <When at={changes_at} isExact />
        </h2>
        <p className="text-soft">
          {texts.by[by]}. {texts.waitingText}
        </p>
      </div>
      {pairUp(removed, added).map((pair) => (
        <DiffRow key={`${pair.before[0]?.hash} ${pair.after?.hash}`} pair={pair} />
      ))}
      {order ? (
        <div className="grid gap-2">
          <h3 className="font-semibold">{texts.order}</h3>
          <OrderedRecords records={order} />
        </div>
      ) : null}
      <ErrorOf thrown={cancel.error} />
      <div>
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          {texts.cancel}
        </Button>
      </div>
    </Card>
  )
}
