import { useQuery, useQueryClient } from '@tanstack/react-query'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { useAction } from '../../../design/use-action.ts'
import { cancelRecovery, recoveryQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.recovery

/** Warns of a pending removal of the second factor, with a button to cancel it. */
export function PendingRecovery() {
  const queries = useQueryClient()
  const { data } = useQuery(recoveryQuery)
  const cancel = useAction({
    mutationFn: cancelRecovery,
    onSuccess: () => announce(texts.cancelled),
    onSettled: () => queries.invalidateQueries({ queryKey: recoveryQuery.queryKey }),
  })
  if (!data?.second_factor_recovery) return <ErrorOf thrown={cancel.error} />
  return (
    <Card className="grid gap-5">
      <div>
        <h2>
          {texts.title} <When at={data.second_factor_recovery.ends_at} isExact />
        </h2>
        <p className="text-soft">{texts.text}</p>
      </div>
      <ErrorOf thrown={cancel.error} />
      <div>
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          {texts.cancel}
        </Button>
      </div>
    </Card>
  )
}
