import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { accountQuery } from '../../../api/account.ts'
import { Button } from '../../../design/button.tsx'
import { readListSearch } from '../../../design/list-search.ts'
import { Section } from '../../../design/section.tsx'
import { useSessionDraft } from '../../../design/use-session-draft.ts'
import { texts as accountTexts } from '../texts.ts'
import { UnconfirmedAddress } from '../unconfirmed-address.tsx'
import { CancelTransferDialog } from './cancel-dialog.tsx'
import { CodeDialog } from './code-dialog.tsx'
import { Incoming } from './incoming.tsx'
import { OfferCode } from './offer-code.tsx'
import { Outgoing } from './outgoing.tsx'
import { refreshTransfers, type Side, type Transfer } from './queries.ts'
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
