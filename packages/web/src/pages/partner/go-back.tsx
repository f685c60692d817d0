import { type Flow, goBackToPartner } from '../../api/partner-visit.ts'
import { Button } from '../../design/button.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { useAction } from '../../design/use-action.ts'
import { Waiting } from '../../design/waiting.tsx'
import { texts } from './texts.ts'

type Props = {
  path: string
  name: string
  flow: Flow
  eid?: string | undefined
  look?: 'main' | 'second' | 'quiet'
  label?: string
}

/** The button that returns to the partner. An app opens beside this page, which then stays. */
export function GoBack({ path, name, flow, eid, look = 'second', label }: Props) {
  const navigationMutation = useAction({ mutationFn: () => goBackToPartner(path, flow, eid) })
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        look={look}
        className={look === 'quiet' ? '-ml-3' : ''}
        isBusy={navigationMutation.isPending}
        onClick={() => navigationMutation.mutate()}
      >
        {label ?? texts.back.to(name)}
      </Button>
      {navigationMutation.isSuccess ? <ReturnedNotice name={name} /> : null}
      <ErrorOf thrown={navigationMutation.error} />
    </div>
  )
}

const ReturnedNotice = ({ name }: { name: string }) => (
  <div>
    <Waiting text={texts.back.going(name)} />
    <p className="text-sm text-soft">{texts.back.stuck(name)}</p>
  </div>
)
