import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { giftLinks } from '../../../api/gift-links.ts'
import { asProblem } from '../../../api/problem.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { readListSearch } from '../../../design/list-search.ts'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useSessionDraft } from '../../../design/use-session-draft.ts'
import { texts as accountTexts } from '../texts.ts'
import { UnconfirmedAddress } from '../unconfirmed-address.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { Incoming, Outgoing } from './lists.tsx'
import {
  cancelTransfer,
  confirmByOffer,
  refreshTransfers,
  type Side,
  type Transfer,
} from './queries.ts'
import { SendForm } from './send-form.tsx'
import { texts } from './texts.ts'

type OpenDialog =
  | { dialog: 'code'; side: Side; transfer: Transfer }
  | { dialog: 'off'; id: string; side: Side }

export function TransfersPage() {
  const { data: account } = useQuery(accountQuery)
  // Other pages link here with the id to send.
  const search = readListSearch(useSearch({ strict: false }))
  const { send } = search
  const [isSending, setSending] = useSessionDraft('transfer form', send !== undefined)
  const navigate = useNavigate()
  const stopSending = () => {
    setSending(false)
    // A reload would open the form again.
    void navigate({
      to: '/account/transfers',
      search: { ...search, send: undefined },
      replace: true,
    })
  }
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  const giveCode = (side: Side) => (transfer: Transfer) =>
    setOpen({ dialog: 'code', side, transfer })
  const callOff =
    (side: Side) =>
    ({ id }: { id: string }) =>
      setOpen({ dialog: 'off', id, side })
  const { email = null, email_verified_at = null, two_factor_auth } = account?.user ?? {}
  return (
    <Section
      title={accountTexts.sections.transfers}
      text={texts.text}
      actions={isSending ? null : <Button onClick={() => setSending(true)}>{texts.send}</Button>}
    >
      {isSending ? (
        <SendForm
          first={typeof send === 'string' ? send : undefined}
          onBegun={(transfer) => {
            stopSending()
            refreshTransfers()
            giveCode('outgoing')(transfer)
          }}
          onCancel={stopSending}
        />
      ) : null}
      {email && !email_verified_at ? (
        <>
          <UnconfirmedAddress email={email} back="/account/transfers" />
          <OfferCode />
        </>
      ) : null}
      <Incoming onGiveCode={giveCode('incoming')} onDecline={callOff('incoming')} />
      <Outgoing onGiveCode={giveCode('outgoing')} onCallOff={callOff('outgoing')} />
      {open?.dialog === 'code' ? (
        <CodeDialog
          transfer={open.transfer}
          side={open.side}
          email={email}
          hasApp={two_factor_auth?.includes('AuthenticatorApp') ?? false}
          onClose={close}
        />
      ) : null}
      {open?.dialog === 'off' ? (
        <CancelTransferDialog id={open.id} side={open.side} onClose={close} />
      ) : null}
    </Section>
  )
}

const offerCodeTexts = texts.offerCode

/** The emailed code of an offer confirms the address, then accepts the offer without typing it again. */
function OfferCode() {
  const { mutate, error, isPending } = useAction({
    mutationFn: async (code: string) => {
      const { id, recipient_id } = await confirmByOffer(code)
      giftLinks.keep({ transfer_id: id, user_id: recipient_id, is_new: true }, code)
      await queries.invalidateQueries(accountQuery)
    },
    onSuccess: () => {
      announce(offerCodeTexts.confirmed)
      refreshTransfers()
    },
  })
  return (
    <form
      className="grid justify-items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        mutate(valueIn(event.currentTarget, 'code'))
      }}
    >
      <Field
        label={offerCodeTexts.label}
        hint={offerCodeTexts.hint}
        name="code"
        required
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        problem={error ? asProblem(error).message : undefined}
      />
      <Button type="submit" look="second" isBusy={isPending}>
        {offerCodeTexts.action}
      </Button>
    </form>
  )
}

type Props = { id: string; side: Side; onClose: () => void }

/** The sender cancels a transfer, or the recipient declines it. */
const CancelTransferDialog = ({ id, side, onClose }: Props) => (
  <ConfirmDialog
    title={texts.confirmCancel[side].title}
    text={texts.confirmCancel[side].text}
    action={texts.confirmCancel[side].action}
    isDangerous
    run={() => cancelTransfer(id)}
    onDone={() => {
      announce(texts.confirmCancel[side].done)
      refreshTransfers()
    }}
    onClose={onClose}
  />
)
