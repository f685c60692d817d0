import { Button } from '../../design/button.tsx'
import { Alert, Card, ErrorOf } from '../../design/feedback.tsx'
import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

type Props = {
  text: string
  consequence: string
  account: string
  warning?: string | undefined
  confirm: () => void
  isConfirming?: boolean
  leave: () => void
  isLeaving: boolean
  error: unknown
}

/** Asks the visitor to confirm an account. */
export function WhoCard({
  text,
  consequence,
  account,
  warning,
  confirm,
  isConfirming = false,
  leave,
  isLeaving,
  error,
}: Props) {
  const { who } = texts
  return (
    <Card className="grid justify-items-start gap-4">
      <StepTitle>{who.title}</StepTitle>
      <p>
        <span className="block text-soft">{text}</span>
        <strong className="text-xl wrap-anywhere">{account}</strong>
      </p>
      {warning ? <Alert>{warning}</Alert> : null}
      <p className="text-soft">{consequence}</p>
      <div className="flex flex-wrap gap-3">
        <Button isBusy={isConfirming} onClick={confirm}>
          {who.yes}
        </Button>
        <Button look="quiet" isBusy={isLeaving} onClick={leave}>
          {who.other}
        </Button>
      </div>
      <ErrorOf thrown={error} />
    </Card>
  )
}
