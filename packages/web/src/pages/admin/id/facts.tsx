import { storeKeys, textLengths } from '@emojid/core'
import { useState } from 'react'
import { Badge, type Tone } from '../../../design/badge.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Field, optionsOf, Select } from '../../../design/field.tsx'
import { Money } from '../../../design/money.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { OrderLink, OrganizationLink, PersonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { SuspendedBadge, SuspensionButton } from '../parts/suspension/suspension-button.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type IdOverview, idActions } from './queries.ts'
import { texts } from './texts.ts'

const factsTexts = texts.facts

const tones: Partial<Record<IdOverview['state'], Tone>> = { owned: 'good', available: 'main' }

/** Owner and state of the id, with the actions that the state allows. */
export const FactsPanel = ({ id }: { id: IdOverview }) => (
  <Panel title={factsTexts.title} actions={<IdActions id={id} />}>
    <EmojiId id={id.display_format} />
    <Facts facts={[...ownFacts(id), ...registrationFacts(id), ...holdFacts(id)]} />
  </Panel>
)

const ownFacts = (id: IdOverview) => [
  { name: factsTexts.name, value: id.shortname },
  { name: factsTexts.state, value: <State id={id} /> },
  ...(id.owner === undefined
    ? []
    : [{ name: factsTexts.owner, value: <Owner owner={id.owner} /> }]),
  { name: factsTexts.score, value: id.rhythm_score },
  {
    name: factsTexts.price,
    value: id.price_in_cents === null ? factsTexts.noPrice : <Money cents={id.price_in_cents} />,
  },
]

const State = ({ id: { state, registration } }: { id: IdOverview }) => (
  <span className="inline-flex flex-wrap gap-2">
    <Badge tone={tones[state] ?? 'plain'}>{texts.states[state]}</Badge>
    {registration?.minted ? <Badge tone="main">{texts.minted}</Badge> : null}
    {registration?.suspended_at ? <SuspendedBadge /> : null}
    {registration?.frozen_at ? <Badge tone="wrong">{texts.frozen}</Badge> : null}
  </span>
)

function Owner({ owner }: { owner: IdOverview['owner'] }) {
  if (!owner) return factsTexts.noOwner
  const { user, organization, pubkey } = owner
  if (organization)
    return <OrganizationLink id={organization.id}>{organization.name}</OrganizationLink>
  if (!user) return <Mono>{pubkey ?? factsTexts.keyOnly}</Mono>
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <PersonLink id={user.id} email={user.email} />
      {user.deactivated_at ? (
        <Badge tone="wrong">{adminTexts.people.states.deactivated}</Badge>
      ) : null}
    </span>
  )
}

function registrationFacts({ registration }: IdOverview) {
  if (!registration) return []
  const { created_at, bought_at, order_id } = registration
  return [
    { name: factsTexts.since, value: <When at={created_at} isExact /> },
    bought_at
      ? { name: factsTexts.bought, value: <When at={bought_at} isExact /> }
      : { name: factsTexts.origin, value: factsTexts.granted },
    ...(order_id
      ? [
          {
            name: factsTexts.order,
            value: <OrderLink id={order_id}>{order_id.slice(-8)}</OrderLink>,
          },
        ]
      : []),
    ...momentFact(factsTexts.blocked, registration.blocked_until),
    ...momentFact(factsTexts.signed, registration.signed_until),
    ...momentFact(factsTexts.frozen, registration.frozen_at),
    ...momentFact(factsTexts.suspended, registration.suspended_at),
    ...(registration.suspension_reason
      ? [{ name: factsTexts.suspensionReason, value: registration.suspension_reason }]
      : []),
  ]
}

const momentFact = (name: string, at: string | null) =>
  at ? [{ name, value: <When at={at} isExact /> }] : []

const partNames: Readonly<Record<string, string>> = texts.parts

const namesOf = (keys: readonly string[]): string =>
  keys.map((key) => partNames[key] ?? key).join(', ')

function holdFacts({ hold, reservation, listed, locked_keys }: IdOverview) {
  const reserved = reservation?.lootbox_id ? factsTexts.inBox : factsTexts.cooling
  return [
    ...(locked_keys.length > 0 ? [{ name: factsTexts.locked, value: namesOf(locked_keys) }] : []),
    ...momentFact(factsTexts.hold, hold?.expires_at ?? null),
    ...(listed
      ? [{ name: factsTexts.reserved, value: factsTexts.onList(listed.pattern, listed.reason) }]
      : []),
    ...(reservation
      ? [
          {
            name: factsTexts.reserved,
            value: reservation.until ? (
              <>
                {reserved} {factsTexts.until} <When at={reservation.until} isExact />
              </>
            ) : (
              reserved
            ),
          },
        ]
      : []),
  ]
}

/** The actions that the state of the id allows. The service checks them again. */
function IdActions({ id }: { id: IdOverview }) {
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
    // The account is found by a search.
    {...textLengths.search}
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
