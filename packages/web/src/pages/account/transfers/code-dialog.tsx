import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { giftLinks } from '../../../api/gift-links.ts'
import { asProblem, type Problem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { Dialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { ErrorOf, Notice } from '../../../design/feedback.tsx'
import { Field, passwordIn, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import {
  enterTransferCode,
  refreshTransfers,
  resendTransferCode,
  type Side,
  type Transfer,
} from './queries.ts'
import { texts as pageTexts } from './texts.ts'
import { TokenStays, TransferRecords } from './transfer-records.tsx'

const texts = pageTexts.code

type Props = {
  transfer: Transfer
  side: Side
  email: string | null
  hasApp: boolean
  onClose: () => void
}

/**
 * Takes the emailed code. An account without an email address enters a code of its authenticator app,
 * or its password if it has none.
 * The emailed link replaces the code in the browser that opened it.
 */
export function CodeDialog({ transfer, side, email, hasApp, onClose }: Props) {
  const { id, eid } = transfer
  const isSender = side === 'outgoing'
  const isPassword = !email && !hasApp
  const [token, setToken] = useState(isSender ? undefined : giftLinks.find(id))
  const returnMutation = useAction({
    mutationFn: (code: string) =>
      enterTransferCode(transfer, side, code, transfer.token_stays === true),
    // An expired link, or a replaced code: ask for the code instead.
    onError: (error) => {
      if (!['late_code', 'wrong_code'].includes(asProblem(error).code)) return
      giftLinks.remove(id)
      setToken(undefined)
    },
    onSuccess: () => {
      onClose()
      announce(isSender ? texts.confirmed : texts.accepted)
    },
    // Too many wrong codes end the transfer.
    onSettled: refreshTransfers,
  })
  const isOver = returnMutation.error !== null && isClosed(asProblem(returnMutation.error))
  const explanation = () => {
    if (token) return texts.opened
    if (!email) return hasApp ? texts.app : texts.password
    return isSender ? texts.mailed(email) : texts.offered(email)
  }
  return (
    <Dialog
      title={isSender ? texts.senderTitle : texts.receiverTitle}
      text={<span className="wrap-anywhere">{explanation()}</span>}
      onClose={onClose}
      isBusy={returnMutation.isPending}
    >
      <EmojiId id={eid} />
      {isSender ? null : <TransferRecords transfer={transfer} />}
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (isOver) return
          const form = event.currentTarget
          returnMutation.mutate(token ?? (isPassword ? passwordIn(form) : valueIn(form, 'code')))
        }}
      >
        {token ? null : isPassword ? (
          <>
            <Field
              label={texts.passwordLabel}
              name="password"
              type="password"
              required
              autoFocus
              autoComplete="current-password"
              problem={returnMutation.error ? asProblem(returnMutation.error).message : undefined}
            />
            <p className="text-sm text-soft">
              {texts.noPassword}{' '}
              <Link to="/account/security" className="font-medium text-main underline">
                {texts.security}
              </Link>
            </p>
          </>
        ) : (
          <Field
            label={texts.label}
            hint={email ? texts.mailHint : texts.appHint}
            name="code"
            required
            autoFocus
            autoComplete="one-time-code"
            autoCapitalize="characters"
            spellCheck={false}
            problem={returnMutation.error ? asProblem(returnMutation.error).message : undefined}
          />
        )}
        {!isSender && transfer.token_stays && !isOver ? <TokenStays /> : null}
        <div className="flex flex-wrap gap-3">
          {isOver ? null : (
            <Button type="submit" isBusy={returnMutation.isPending}>
              {isSender ? texts.confirm : texts.accept}
            </Button>
          )}
          <Button look="second" disabled={returnMutation.isPending} onClick={onClose}>
            {isOver ? texts.close : texts.later}
          </Button>
        </div>
      </form>
      {email && !isOver && !token ? <Resend id={id} /> : null}
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
