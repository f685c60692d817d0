import { asProblem, type Problem } from '../../../api/problem.ts'
import { Button } from '../../../design/button.tsx'
import { Dialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { announce } from '../../../design/status.tsx'
import { useAction } from '../../../design/use-action.ts'
import {
  enterTransferCode,
  refreshTransfers,
  resendTransferCode,
  type Side,
  type Transfer,
} from './queries.ts'
import { texts as pageTexts } from './texts.ts'
import { TransferRecords } from './transfer-records.tsx'

const texts = pageTexts.code

type Props = { transfer: Transfer; side: Side; email: string | null; onClose: () => void }

/** Takes the emailed code, or a code of the authenticator app if the account has no email address. */
export function CodeDialog({ transfer, side, email, onClose }: Props) {
  const { id, eid } = transfer
  const isSender = side === 'outgoing'
  const giving = useAction({
    mutationFn: (code: string) => enterTransferCode(id, side, code),
    onSuccess: () => {
      onClose()
      announce(isSender ? texts.confirmed : texts.accepted)
    },
    // Too many wrong codes end the transfer.
    onSettled: refreshTransfers,
  })
  const isOver = giving.error !== null && isClosed(asProblem(giving.error))
  return (
    <Dialog
      title={isSender ? texts.senderTitle : texts.receiverTitle}
      text={<span className="wrap-anywhere">{email ? texts.mailed(email) : texts.app}</span>}
      onClose={onClose}
      isBusy={giving.isPending}
    >
      <EmojiId id={eid} />
      {isSender ? null : <TransferRecords transfer={transfer} />}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isOver) giving.mutate(valueIn(event.currentTarget, 'code'))
        }}
      >
        <Field
          label={texts.label}
          hint={email ? texts.mailHint : texts.appHint}
          name="code"
          required
          autoFocus
          autoComplete="one-time-code"
          autoCapitalize="characters"
          spellCheck={false}
          problem={giving.error ? asProblem(giving.error).message : undefined}
        />
        <div className="flex flex-wrap gap-3">
          {isOver ? null : (
            <Button type="submit" isBusy={giving.isPending}>
              {isSender ? texts.confirm : texts.accept}
            </Button>
          )}
          <Button look="second" disabled={giving.isPending} onClick={onClose}>
            {isOver ? texts.close : texts.later}
          </Button>
        </div>
      </form>
      {email && !isOver ? <Resend id={id} /> : null}
    </Dialog>
  )
}

/** The transfer has ended, or this code ended it. */
const isClosed = ({ code, fields }: Problem): boolean =>
  [code, ...(fields['code'] ?? []).map((wrong) => wrong.code)].includes('closed_transfer')

function Resend({ id }: { id: string }) {
  const sending = useAction({ mutationFn: () => resendTransferCode(id) })
  return (
    <div className="grid justify-items-start gap-3 border-t border-hair pt-3">
      <Button
        look="quiet"
        className="-ml-3"
        isBusy={sending.isPending}
        onClick={() => sending.mutate()}
      >
        {texts.resend}
      </Button>
      {sending.isSuccess ? <Notice>{texts.resent}</Notice> : null}
      <ErrorOf thrown={sending.error} />
    </div>
  )
}
