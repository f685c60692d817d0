import { globalRoles } from '@emojid/core'
import { useState } from 'react'
import { freeCeiling } from '../../../api/addresses.ts'
import { Badge } from '../../../design/badge.tsx'
import { When } from '../../../design/date.tsx'
import { Field, Select } from '../../../design/field.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { Panel } from '../parts/panel.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type ShownUser, userActions } from './queries.ts'
import { texts } from './texts.ts'

const { roles, states } = adminTexts.people
const nameOfRole = (role: string): string => roles[role as keyof typeof roles] ?? role

type Props = { user: ShownUser; userName: string }

export const AccountPanel = ({ user, userName }: Props) => (
  <Panel
    title={texts.who}
    actions={
      <>
        <ChangeRole user={user} userName={userName} />
        {freeCeiling > 0 ? <ChangeLimit user={user} /> : null}
      </>
    }
  >
    <Facts facts={factsOf(user)} />
  </Panel>
)

function factsOf(user: ShownUser) {
  const { facts } = texts
  const name = [user.first_name, user.last_name].filter(Boolean).join(' ')
  return [
    { name: facts.state, value: <State {...user} /> },
    { name: facts.role, value: nameOfRole(user.role) },
    { name: facts.email, value: <Email {...user} /> },
    ...(user.pending_email ? [{ name: facts.pendingEmail, value: user.pending_email }] : []),
    ...(user.former_emails ?? []).map(({ email }) => ({ name: facts.formerEmails, value: email })),
    ...(user.alternate_id ? [{ name: facts.alternate, value: user.alternate_id }] : []),
    { name: facts.name, value: name || texts.unknown },
    { name: facts.factor, value: factorsOf(user) },
    ...(user.second_factor_recovery
      ? [{ name: facts.recovery, value: <Recovery {...user.second_factor_recovery} /> }]
      : []),
    ...(freeCeiling > 0
      ? [{ name: facts.free, value: texts.free(user.remaining_free_emoji, user.free_limit) }]
      : []),
    ...(user.source ? [{ name: facts.source, value: user.source }] : []),
    ...(user.activation_source
      ? [{ name: facts.activationSource, value: user.activation_source }]
      : []),
    { name: facts.joined, value: <When at={user.created_at} isExact /> },
    { name: facts.changed, value: <When at={user.updated_at} /> },
    { name: facts.keys, value: String(user.pubkeys.length) },
    { name: facts.id, value: <Mono>{user.id}</Mono> },
  ]
}

const factorsOf = ({ two_factor_auth }: ShownUser): string =>
  (two_factor_auth ?? []).map((one) => texts.factors[one]).join(', ') || texts.none

const Recovery = ({ ends_at }: { ends_at: string }) => (
  <span className="inline-flex flex-wrap items-center gap-2">
    <Badge tone="wrong">{texts.recovery}</Badge>
    <When at={ends_at} isExact />
  </span>
)

function State({ deactivated_at }: ShownUser) {
  if (!deactivated_at) return <Badge tone="good">{states.active}</Badge>
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Badge tone="wrong">{states.deactivated}</Badge>
      <When at={deactivated_at} isExact />
    </span>
  )
}

const Email = ({ email, email_verified_at }: ShownUser) =>
  email ? (
    <span className="inline-flex flex-wrap items-center gap-2">
      <span className="wrap-anywhere">{email}</span>
      {email_verified_at ? null : <Badge>{texts.unconfirmed}</Badge>}
    </span>
  ) : (
    texts.unknown
  )

function ChangeRole({ user: { id, role }, userName }: Props) {
  const current = globalRoles.find((one) => one === role) ?? 'User'
  const [chosenRole, setChosenRole] = useState(current)
  return (
    <AskButton
      {...texts.role}
      text={texts.role.text(userName)}
      isDangerous
      asksReason
      onOpen={() => setChosenRole(current)}
      run={(reason) => userActions(id).setRole(chosenRole, reason)}
    >
      <Select
        label={texts.role.field}
        hint={texts.role.hints[chosenRole]}
        options={globalRoles.map((value) => ({ value, text: nameOfRole(value) }))}
        value={chosenRole}
        onChange={({ currentTarget: { value } }) =>
          setChosenRole(globalRoles.find((one) => one === value) ?? current)
        }
      />
    </AskButton>
  )
}

function ChangeLimit({ user: { id, free_limit } }: Pick<Props, 'user'>) {
  const [limit, setLimit] = useState(String(free_limit))
  return (
    <AskButton
      {...texts.limit}
      asksReason
      onOpen={() => setLimit(String(free_limit))}
      run={(reason) => userActions(id).setFreeLimit(Number(limit), reason)}
    >
      <Field
        label={texts.limit.field}
        type="number"
        inputMode="numeric"
        min={0}
        max={1_000_000}
        step={1}
        required
        value={limit}
        onChange={({ currentTarget }) => setLimit(currentTarget.value)}
      />
    </AskButton>
  )
}
