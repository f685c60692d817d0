import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isAccepted } from '../../../api/admin.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { focusContent } from '../../../design/focus-content.ts'
import { Part, Section } from '../../../design/section.tsx'
import { Members } from '../../admin/organization/members.tsx'
import { texts as accountTexts } from '../texts.ts'
import {
  acceptInvitation,
  acceptMembership,
  declineInvitation,
  type Invitation,
  invitationsQuery,
  leaveOrganization,
  type Membership,
  membershipsQuery,
} from './queries.ts'
import { texts } from './texts.ts'

/** A decision of the user that a dialog confirms. */
type Question = {
  title: string
  text: string
  action: string
  isDangerous?: boolean
  run: () => Promise<void>
  done: string
}

export function OrganizationsPage() {
  const memberships = useQuery(membershipsQuery)
  const invitations = useQuery(invitationsQuery)
  const hasInvitations = (invitations.data?.length ?? 0) > 0
  const [question, setQuestion] = useState<Question>()
  return (
    <Section title={accountTexts.sections.organizations} text={texts.text}>
      {hasInvitations || invitations.error ? (
        <Part title={texts.invitations} text={texts.invitationsText}>
          <DataTable
            caption={texts.invitations}
            columns={[...invitationColumns, invitationActions(setQuestion)]}
            rows={invitations.data}
            keyOf={({ id }) => id}
            error={invitations.error}
            empty={null}
          />
        </Part>
      ) : null}
      <DataTable
        caption={texts.caption}
        columns={[...membershipColumns, membershipActions(setQuestion)]}
        rows={memberships.data}
        keyOf={({ id }) => id}
        error={memberships.error}
        empty={<p className="text-soft">{texts.none}</p>}
      />
      {memberships.data
        ?.filter(({ role }) => role === 'OrgOwner')
        .map(({ id, name }) => (
          <Part key={id} title={texts.membersOf(name)} text={texts.membersText}>
            <Members id={id} isOperator={false} />
          </Part>
        ))}
      {question ? (
        <ConfirmDialog
          {...question}
          onDone={() => {
            announce(question.done)
            // The pressed button is unmounted with its row.
            focusContent()
          }}
          onClose={() => setQuestion(undefined)}
        />
      ) : null}
    </Section>
  )
}

const acceptance = (
  name: string,
  role: Membership['role'],
  run: () => Promise<void>,
): Question => ({
  title: texts.acceptTitle(name),
  text: texts.acceptText(texts.roles[role]),
  action: texts.accept,
  run,
  done: texts.accepted(name),
})

const invitationColumns: Column<Invitation>[] = [
  {
    title: texts.invitationColumns.name,
    show: ({ organization }) => (
      <span className="font-semibold wrap-anywhere">{organization.name}</span>
    ),
  },
  { title: texts.invitationColumns.role, show: ({ role }) => <Badge>{texts.roles[role]}</Badge> },
  { title: texts.invitationColumns.until, show: ({ expires_at }) => <When at={expires_at} /> },
]

type Ask = (question: Question) => void

const invitationActions = (ask: Ask): Column<Invitation> => ({
  title: texts.invitationColumns.actions,
  isAtEnd: true,
  isAction: true,
  show: (invitation) => {
    const { organization, role } = invitation
    const { name } = organization
    return (
      <span className="flex flex-wrap gap-2 md:justify-end">
        <Button onClick={() => ask(acceptance(name, role, () => acceptInvitation(invitation)))}>
          {texts.accept}
          <span className="sr-only">{texts.of(name)}</span>
        </Button>
        <Button
          look="second"
          onClick={() =>
            ask({
              title: texts.declineTitle(name),
              text: texts.declineText,
              action: texts.decline,
              run: () => declineInvitation(invitation),
              done: texts.declined,
            })
          }
        >
          {texts.decline}
          <span className="sr-only">{texts.of(name)}</span>
        </Button>
      </span>
    )
  },
})

const membershipColumns: Column<Membership>[] = [
  {
    title: texts.columns.name,
    show: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
  },
  {
    title: texts.columns.role,
    show: ({ role }) => (
      <Badge tone={role === 'OrgOwner' ? 'main' : 'plain'}>{texts.roles[role]}</Badge>
    ),
  },
  {
    title: texts.columns.since,
    show: (membership) => {
      const { accepted_at } = membership
      if (!accepted_at) return texts.placed
      return isAccepted(membership) ? <When at={accepted_at} /> : texts.raised
    },
  },
]

const membershipActions = (ask: Ask): Column<Membership> => ({
  title: texts.columns.actions,
  isAtEnd: true,
  isAction: true,
  show: (membership) => {
    const { name, role } = membership
    return (
      <span className="flex flex-wrap gap-2 md:justify-end">
        {isAccepted(membership) ? null : (
          <Button onClick={() => ask(acceptance(name, role, () => acceptMembership(membership)))}>
            {texts.accept}
            <span className="sr-only">{texts.of(name)}</span>
          </Button>
        )}
        <Button
          look="second"
          onClick={() =>
            ask({
              title: texts.leaveTitle(name),
              text: texts.leaveText,
              action: texts.leave,
              isDangerous: true,
              run: () => leaveOrganization(membership),
              done: texts.left(name),
            })
          }
        >
          {texts.leave}
          <span className="sr-only">{texts.of(name)}</span>
        </Button>
      </span>
    )
  },
})
