import { memberRoles, textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { findUser, isAccepted } from '../../../api/admin.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog, FormDialog } from '../../../design/dialog.tsx'
import { Field, optionsOf, ReasonField, Select, valueIn } from '../../../design/field.tsx'
import { ExportButton } from '../../../design/paged-table.tsx'
import {
  type Invitation,
  invitationsQuery,
  inviteMember,
  type Member,
  type MemberRole,
  membersQuery,
  putMember,
  removeMember,
  withdrawInvitation,
} from './queries.ts'
import { memberTexts as texts } from './texts.ts'

const roleOptions = optionsOf(memberRoles, texts.roles)
const nameOf = ({ email, accepted_at }: Member): string =>
  email ?? (accepted_at ? texts.nameless : texts.placed)

type MemberQuestion =
  | { what: 'add' | 'invite' }
  | { what: 'change' | 'remove'; member: Member }
  | { what: 'withdraw'; invitation: Invitation }

/** For operators, and for owners in the account. */
export function Members({ id, isOperator }: { id: string; isOperator: boolean }) {
  const { data, error } = useQuery(membersQuery(id))
  const { data: invitations } = useQuery(invitationsQuery(id))
  const [question, setQuestion] = useState<MemberQuestion>()
  // Only operators owe a reason.
  const common = { id, asksReason: isOperator, onClose: () => setQuestion(undefined) }
  return (
    <>
      <DataTable
        caption={texts.caption}
        columns={[nameColumn(isOperator), ...columns, actionsColumn(setQuestion)]}
        rows={data}
        keyOf={({ user_id }) => user_id}
        error={error}
        empty={<p className="text-soft">{texts.none}</p>}
      />
      {invitations && invitations.length > 0 ? (
        <DataTable
          caption={texts.invitations}
          columns={[...invitationColumns, withdrawalColumn(setQuestion)]}
          rows={invitations}
          keyOf={(invitation) => invitation.id}
          empty={null}
        />
      ) : null}
      <div className="flex flex-wrap gap-3">
        <Button look="second" onClick={() => setQuestion({ what: 'invite' })}>
          {texts.invite}
        </Button>
        {isOperator ? (
          <Button look="quiet" onClick={() => setQuestion({ what: 'add' })}>
            {texts.add}
          </Button>
        ) : null}
      </div>
      {data && data.length > 0 ? (
        <ExportButton
          list={{ path: '/admin/organizations/{id}/members/export', name: 'members', id }}
        />
      ) : null}
      {question?.what === 'invite' ? <InviteDialog {...common} /> : null}
      {question?.what === 'withdraw' ? (
        <WithdrawalDialog {...common} invitation={question.invitation} />
      ) : null}
      {question?.what === 'add' ? <AddDialog {...common} /> : null}
      {question?.what === 'change' ? <RoleDialog {...common} member={question.member} /> : null}
      {question?.what === 'remove' ? <RemovalDialog {...common} member={question.member} /> : null}
    </>
  )
}

const nameColumn = (isOperator: boolean): Column<Member> => ({
  title: texts.columns.who,
  show: (member) =>
    isOperator ? (
      <Link
        to="/admin/users/$id"
        params={{ id: member.user_id }}
        className="min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4"
      >
        {nameOf(member)}
      </Link>
    ) : (
      <span className="font-semibold wrap-anywhere">{nameOf(member)}</span>
    ),
})

const columns: Column<Member>[] = [
  {
    title: texts.columns.role,
    show: ({ role }) => (
      <Badge tone={role === 'OrgOwner' ? 'main' : 'plain'}>{texts.roles[role]}</Badge>
    ),
  },
  {
    title: texts.columns.since,
    show: (member) => (
      <span className="inline-flex flex-wrap items-center gap-2">
        <When at={member.created_at} />
        {isAccepted(member) ? null : <Badge tone="wrong">{texts.notAccepted}</Badge>}
      </span>
    ),
  },
]

const invitationColumns: Column<Invitation>[] = [
  {
    title: texts.invitationColumns.who,
    show: ({ email }) => <span className="font-semibold wrap-anywhere">{email}</span>,
  },
  { title: texts.invitationColumns.role, show: ({ role }) => <Badge>{texts.roles[role]}</Badge> },
  { title: texts.invitationColumns.until, show: ({ expires_at }) => <When at={expires_at} /> },
]

const withdrawalColumn = (ask: (question: MemberQuestion) => void): Column<Invitation> => ({
  title: texts.invitationColumns.actions,
  isAtEnd: true,
  isAction: true,
  show: (invitation) => (
    <Button
      look="quiet"
      aria-label={texts.withdrawOf(invitation.email)}
      onClick={() => ask({ what: 'withdraw', invitation })}
    >
      {texts.withdraw}
    </Button>
  ),
})

const actionsColumn = (ask: (question: MemberQuestion) => void): Column<Member> => ({
  title: texts.columns.actions,
  isAtEnd: true,
  isAction: true,
  show: (member) => (
    <span className="flex flex-wrap md:flex-nowrap md:justify-end">
      <Button
        look="quiet"
        aria-label={texts.changeOf(nameOf(member))}
        onClick={() => ask({ what: 'change', member })}
      >
        {texts.changeShort}
      </Button>
      <Button
        look="quiet"
        aria-label={texts.removeOf(nameOf(member))}
        onClick={() => ask({ what: 'remove', member })}
      >
        {texts.remove}
      </Button>
    </span>
  ),
})

type Props = { id: string; asksReason: boolean; onClose: () => void }

const InviteDialog = ({ id, asksReason, onClose }: Props) => (
  <FormDialog
    title={texts.invite}
    text={texts.inviteText}
    action={texts.inviteAction}
    run={async (form) => {
      const email = valueIn(form, 'email').trim()
      const role = valueIn(form, 'role') as MemberRole
      const reason = asksReason ? { reason: valueIn(form, 'reason') } : {}
      await inviteMember(id, { email, role, ...reason })
      return email
    }}
    fields={['email']}
    onDone={(email) => announce(texts.invited(email))}
    onClose={onClose}
  >
    {(problemIn) => (
      <>
        <Field
          label={texts.address}
          name="email"
          type="email"
          required
          {...textLengths.email}
          autoComplete="off"
          problem={problemIn('email')}
        />
        <Select label={texts.role} name="role" options={roleOptions} />
        {asksReason ? <ReasonField /> : null}
      </>
    )}
  </FormDialog>
)

const WithdrawalDialog = ({
  id,
  asksReason,
  invitation,
  onClose,
}: Props & { invitation: Invitation }) => (
  <ConfirmDialog
    title={texts.withdrawTitle}
    text={texts.withdrawText(invitation.email)}
    action={texts.withdraw}
    isDangerous
    asksReason={asksReason}
    run={(reason) => withdrawInvitation(id, invitation.id, reason)}
    onDone={() => announce(texts.withdrawn)}
    onClose={onClose}
  />
)

const AddDialog = ({ id, onClose }: Props) => (
  <FormDialog
    title={texts.add}
    text={texts.addText}
    action={texts.addAction}
    run={async (form) => {
      const userText = valueIn(form, 'user')
      const user_id = await findUser(userText, texts.unknown)
      const role = valueIn(form, 'role') as MemberRole
      await putMember(id, { user_id, role, reason: valueIn(form, 'reason') })
      return userText
    }}
    fields={['user']}
    onDone={(userText) => announce(texts.added(userText))}
    onClose={onClose}
  >
    {(problemIn) => (
      <>
        <Field
          label={texts.who}
          name="user"
          required
          autoCapitalize="none"
          spellCheck={false}
          problem={problemIn('user')}
        />
        <Select label={texts.role} name="role" options={roleOptions} />
        <ReasonField />
      </>
    )}
  </FormDialog>
)

function RoleDialog({ id, asksReason, member, onClose }: Props & { member: Member }) {
  const [role, setRole] = useState<MemberRole>(member.role)
  return (
    <ConfirmDialog
      title={texts.changeTitle}
      text={texts.changeText(nameOf(member))}
      action={texts.change}
      asksReason={asksReason}
      run={(reason) => putMember(id, { user_id: member.user_id, role, reason })}
      onDone={() => announce(texts.changed)}
      onClose={onClose}
    >
      <Select
        label={texts.role}
        options={roleOptions}
        value={role}
        onChange={({ currentTarget }) => setRole(currentTarget.value as MemberRole)}
      />
    </ConfirmDialog>
  )
}

const RemovalDialog = ({ id, asksReason, member, onClose }: Props & { member: Member }) => (
  <ConfirmDialog
    title={texts.removeTitle}
    text={texts.removeText(nameOf(member))}
    action={texts.remove}
    isDangerous
    asksReason={asksReason}
    run={(reason) => removeMember(id, member.user_id, reason)}
    onDone={() => announce(texts.removed)}
    onClose={onClose}
  />
)
