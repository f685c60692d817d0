import { useState } from 'react'
import { Checkbox } from '../../../design/choice.tsx'
import { Field } from '../../../design/field.tsx'
import { optionsOf, Select } from '../../../design/select.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { SuspensionButton } from '../parts/suspension/suspension-button.tsx'
import { type IdOverview, idActions, storeKeys } from './queries.ts'
import { texts } from './texts.ts'

/** The actions that the state of the id allows. The service checks them again. */
export function IdActions({ id }: { id: IdOverview }) {
  const { emoji_id, state, registration, locked_keys } = id
  if (state !== 'owned') return <GrantId id={emoji_id} />
  return (
    <>
      <SuspensionButton id={emoji_id} isSuspended={Boolean(registration?.suspended_at)} />
      <TransferId id={emoji_id} isMinted={registration?.minted === true} />
      <LockData
        id={emoji_id}
        isLocked
        keys={storeKeys.filter((key) => !locked_keys.includes(key))}
      />
      <LockData
        id={emoji_id}
        isLocked={false}
        keys={storeKeys.filter((key) => locked_keys.includes(key))}
      />
      {registration?.minted ? null : <ReleaseDialog id={emoji_id} />}
    </>
  )
}

function ReleaseDialog({ id }: { id: string }) {
  const [isReserved, setReserved] = useState(false)
  const { reserve, ...dialog } = texts.release
  return (
    <AskButton
      {...dialog}
      isDangerous
      asksReason
      sends={isReserved}
      run={(reason) => idActions(id).revoke(reason, isReserved)}
    >
      <Checkbox
        label={reserve}
        checked={isReserved}
        onChange={({ currentTarget }) => setReserved(currentTarget.checked)}
      />
    </AskButton>
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

function TransferId({ id, isMinted }: { id: string; isMinted: boolean }) {
  const [email, setEmail] = useState('')
  const [isCleared, setCleared] = useState(false)
  const [without_token, setWithoutToken] = useState(false)
  return (
    <AskButton
      {...texts.transfer}
      isDangerous
      asksReason
      sends={[email, isCleared, without_token]}
      run={(reason, key) => {
        const body = { email: email.trim(), clear_on_transfer: isCleared, without_token, reason }
        return idActions(id).transfer(body, key)
      }}
    >
      <EmailField hint={texts.transfer.hint} value={email} onChange={setEmail} />
      <Checkbox
        label={texts.transfer.clear}
        checked={isCleared}
        onChange={({ currentTarget }) => setCleared(currentTarget.checked)}
      />
      {isMinted ? (
        <Checkbox
          label={texts.transfer.withoutToken}
          hint={texts.transfer.withoutTokenHint}
          checked={without_token}
          onChange={({ currentTarget }) => setWithoutToken(currentTarget.checked)}
        />
      ) : null}
    </AskButton>
  )
}

type LockProps = {
  id: string
  /** The state after the action. */
  isLocked: boolean
  keys: readonly (typeof storeKeys)[number][]
}

/** Locks a part of the page data against its owner, or unlocks it. */
function LockData({ id, isLocked, keys }: LockProps) {
  const [first] = keys
  const [chosenKey, setChosenKey] = useState(first)
  const key = keys.find((one) => one === chosenKey) ?? first
  if (!key) return null
  return (
    <AskButton
      {...(isLocked ? texts.lock : texts.unlock)}
      asksReason
      sends={key}
      run={(reason) => idActions(id).setLock(key, isLocked, reason)}
    >
      <Select
        label={texts.part}
        options={optionsOf(keys, texts.parts)}
        value={key}
        onChange={({ currentTarget }) =>
          setChosenKey(keys.find((one) => one === currentTarget.value))
        }
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
