import { useQuery, useQueryClient } from '@tanstack/react-query'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { texts as accountTexts } from '../texts.ts'
import { Applications } from './applications.tsx'
import { Passkeys } from './passkeys.tsx'
import { cancelRecovery, recoveryQuery } from './queries.ts'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { texts } from './texts.ts'

export const SecurityPage = () => (
  <Section title={accountTexts.sections.security} text={texts.text}>
    <PendingRecovery />
    <SecondFactor />
    <Passkeys />
    <Sessions />
    <Applications />
  </Section>
)

const recoveryTexts = texts.recovery

/** Warns of a pending removal of the second factor, with a button to cancel it. */
function PendingRecovery() {
  const queries = useQueryClient()
  const { data } = useQuery(recoveryQuery)
  const cancel = useAction({
    mutationFn: cancelRecovery,
    onSuccess: () => announce(recoveryTexts.cancelled),
    onSettled: () => queries.invalidateQueries({ queryKey: recoveryQuery.queryKey }),
  })
  if (!data?.second_factor_recovery) return <ErrorOf thrown={cancel.error} />
  return (
    <Card className="grid gap-5">
      <div>
        <h2>
          {recoveryTexts.title} <When at={data.second_factor_recovery.ends_at} isExact />
        </h2>
        <p className="text-soft">{recoveryTexts.text}</p>
      </div>
      <ErrorOf thrown={cancel.error} />
      <div>
        <Button isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
          {recoveryTexts.cancel}
        </Button>
      </div>
    </Card>
  )
}
