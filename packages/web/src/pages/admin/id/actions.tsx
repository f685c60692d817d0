import { useState } from 'react'
import { Checkbox } from '../../../design/choice.tsx'
import { Field } from '../../../design/field.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { type IdOverview, idActions } from './queries.ts'
import { texts } from './texts.ts'

/** The actions that the state of the id allows. The service checks them again. */
export function IdActions({ id: { emoji_id, state, registration } }: { id: IdOverview }) {
  if (state !== 'owned') return <GrantId id={emoji_id} />
  return (
    <>
      <TransferId id={emoji_id} />
      {registration?.minted ? null : (
        <AskButton {...texts.revoke} isDangerous asksReason run={idActions(emoji_id).revoke} />
      )}
    </>
  )
}

function GrantId({ id }: { id: string }) {
  const [email, setEmail] = useState('')
  return (
    <AskButton
      {...texts.grant}
      asksReason
      sends={email}
      run={(reason, key) => idActions(id).grant(email.trim(), reason, key)}
    >
      <EmailField hint={texts.grant.hint} value={email} onChange={setEmail} />
    </AskButton>
  )
}

function TransferId({ id }: { id: string }) {
  const [email, setEmail] = useState('')
  const [isCleared, setCleared] = useState(false)
  return (
    <AskButton
      {...texts.transfer}
      isDangerous
      asksReason
      sends={[email, isCleared]}
      run={(reason, key) =>
        idActions(id).transfer({ email: email.trim(), clear_on_transfer: isCleared, reason }, key)
      }
    >
      <EmailField hint={texts.transfer.hint} value={email} onChange={setEmail} />
      <Checkbox
        label={texts.transfer.clear}
        checked={isCleared}
        onChange={({ currentTarget }) => setCleared(currentTarget.checked)}
      />
    </AskButton>
  )
}

type EmailProps = { hint: string; value: string; onChange: (email: string) => void }

const EmailField = ({ hint, value, onChange }: EmailProps) => (
  <Field
    label={texts.email}
    hint={hint}
    type="email"
    required
    maxLength={254}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
