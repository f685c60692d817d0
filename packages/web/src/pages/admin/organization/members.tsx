import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { findUser } from '../../../api/admin-organizations.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ExportButton } from '../../../design/export-button.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { FormDialog } from '../../../design/form-dialog.tsx'
import { ReasonField } from '../../../design/reason-field.tsx'
import { optionsOf, Select } from '../../../design/select.tsx'
import {
  type Member,
  type MemberRole,
  memberRoles,
  membersQuery,
  putMember,
  removeMember,
} from './queries.ts'
import { memberTexts as texts } from './texts.ts'

const roleOptions = optionsOf(memberRoles, texts.roles)
const nameOf = ({ email }: Member): string => email ?? texts.nameless

type MemberQuestion = { what: 'add' } | { what: 'change' | 'remove'; member: Member }

export function Members({ id }: { id: string }) {
  const { data, error } = useQuery(membersQuery(id))
  const [question, setQuestion] = useState<MemberQuestion>()
  const close = () => setQuestion(undefined)
  return (
    <>
      <DataTable
        caption={texts.caption}
        columns={[...columns, actionsColumn(setQuestion)]}
        rows={data}
        keyOf={({ user_id }) => user_id}
        error={error}
        empty={<p className="text-soft">{texts.none}</p>}
      />
      <Button
        look="second"
        className="justify-self-start"
        onClick={() => setQuestion({ what: 'add' })}
      >
        {texts.add}
      </Button>
      {data && data.length > 0 ? (
        <ExportButton
          list={{ path: '/admin/organizations/{id}/members/export', name: 'members', id }}
        />
      ) : null}
      {question?.what === 'add' ? <AddDialog id={id} onClose={close} /> : null}
      {question?.what === 'change' ? (
        <RoleDialog id={id} member={question.member} onClose={close} />
      ) : null}
      {question?.what === 'remove' ? (
        <RemovalDialog id={id} member={question.member} onClose={close} />
      ) : null}
    </>
  )
}

const columns: Column<Member>[] = [
  {
    title: texts.columns.who,
    show: (member) => (
      <Link
        to="/admin/users/$id"
        params={{ id: member.user_id }}
        className="min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4"
      >
        {nameOf(member)}
      </Link>
    ),
  },
  {
    title: texts.columns.role,
    show: ({ role }) => (
      <Badge tone={role === 'OrgOwner' ? 'main' : 'plain'}>{texts.roles[role]}</Badge>
    ),
  },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
]

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

type Props = { id: string; onClose: () => void }

const AddDialog = ({ id, onClose }: Props) => (
  <FormDialog
    title={texts.add}
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

function RoleDialog({ id, member, onClose }: Props & { member: Member }) {
  const [role, setRole] = useState<MemberRole>(member.role)
  return (
    <ConfirmDialog
      title={texts.changeTitle}
      text={texts.changeText(nameOf(member))}
      action={texts.change}
      asksReason
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

const RemovalDialog = ({ id, member, onClose }: Props & { member: Member }) => (
  <ConfirmDialog
    title={texts.removeTitle}
    text={texts.removeText(nameOf(member))}
    action={texts.remove}
    isDangerous
    asksReason
    run={(reason) => removeMember(id, member.user_id, reason)}
    onDone={() => announce(texts.removed)}
    onClose={onClose}
  />
)
