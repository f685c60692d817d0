import { clientSecretsAtMost } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import type { Application } from '../../../api/admin.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { Panel } from '../parts/panel.tsx'
import { ApplicationFields, applicationIn, ClientId, ShownSecret } from './application-fields.tsx'
import {
  type ApplicationChange,
  addSecret,
  applicationQuery,
  changeApplication,
  deleteApplication,
  endSecret,
} from './queries.ts'
import { texts } from './texts.ts'

export function ApplicationPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: application, error } = useQuery(applicationQuery(id))
  if (!application) {
    return <Section title={texts.title}>{error ? <ErrorOf thrown={error} /> : <Waiting />}</Section>
  }
  return (
    <Section title={application.name} text={<Owner application={application} />}>
      <Panel title={texts.clientId}>
        <ClientId id={application.client_id} />
      </Panel>
      <Panel title={texts.basics}>
        <Basics application={application} />
      </Panel>
      <Panel title={texts.secrets} text={texts.secretsText}>
        <Secrets application={application} />
      </Panel>
      <Panel title={texts.danger} text={texts.deleteText}>
        <DeleteButton id={application.client_id} />
      </Panel>
    </Section>
  )
}

const Owner = ({ application }: { application: Application }) => (
  <>
    {texts.of}{' '}
    <Link
      to="/admin/organizations/$id"
      params={{ id: application.organization_id }}
      className="wrap-anywhere text-main underline underline-offset-4"
    >
      {application.organization_name}
    </Link>
  </>
)

function Basics({ application }: { application: Application }) {
  const [change, setChange] = useState<ApplicationChange>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setChange(applicationIn(event.currentTarget))
  }
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <ApplicationFields application={application} />
      <Button type="submit" className="justify-self-start">
        {texts.save}
      </Button>
      {change ? (
        <ConfirmDialog
          title={texts.saveTitle}
          text={texts.saveText}
          action={texts.save}
          asksReason
          run={(reason) => changeApplication(application.client_id, { ...change, reason })}
          onDone={() => announce(texts.saved)}
          onClose={() => setChange(undefined)}
        />
      ) : null}
    </form>
  )
}

function DeleteButton({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  return (
    <>
      <Button look="danger" className="justify-self-start" onClick={() => setAsked(true)}>
        {texts.delete}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={texts.deleteTitle}
          text={texts.deleteText}
          action={texts.delete}
          isDangerous
          asksReason
          run={(reason) => deleteApplication(id, reason)}
          onDone={() => {
            announce(texts.deleted)
            navigate({ to: '/admin/applications' })
          }}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  )
}

type Row = Application['secrets'][number] & { nth: number }

function Secrets({ application: { client_id, secrets } }: { application: Application }) {
  const [secret, setSecret] = useState<string>()
  const [question, setQuestion] = useState<'add' | Row>()
  const rows = secrets.map((one, at) => ({ ...one, nth: at + 1 }))
  const close = () => setQuestion(undefined)
  return (
    <>
      {secret ? <ShownSecret key={secret} secret={secret} /> : null}
      <DataTable
        caption={texts.caption}
        columns={columnsFor(rows.length > 1, setQuestion)}
        rows={rows}
        keyOf={({ id }) => id}
        empty=""
      />
      {rows.length < clientSecretsAtMost ? (
        <Button look="second" className="justify-self-start" onClick={() => setQuestion('add')}>
          {texts.add}
        </Button>
      ) : null}
      {question === 'add' ? (
        <ConfirmDialog
          title={texts.addTitle}
          text={texts.addText}
          action={texts.add}
          asksReason
          run={(reason) => addSecret(client_id, reason)}
          onDone={(secret) => {
            setSecret(secret)
            announce(texts.added)
          }}
          onClose={close}
        />
      ) : null}
      {question && question !== 'add' ? (
        <ConfirmDialog
          title={texts.endTitle}
          text={texts.endText}
          action={texts.end}
          isDangerous
          asksReason
          run={(reason) => endSecret(client_id, question.id, reason)}
          onDone={() => announce(texts.ended)}
          onClose={close}
        />
      ) : null}
    </>
  )
}

const columnsFor = (mayEnd: boolean, ask: (row: Row) => void): Column<Row>[] => [
  { title: texts.columns.secret, show: ({ nth }) => texts.nth(nth) },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} isExact /> },
  ...(mayEnd ? [endColumn(ask)] : []),
]

const endColumn = (ask: (row: Row) => void): Column<Row> => ({
  title: texts.columns.actions,
  isAtEnd: true,
  isAction: true,
  show: (row) => (
    <Button look="quiet" onClick={() => ask(row)}>
      {texts.end}
      <span className="sr-only">: {texts.nth(row.nth)}</span>
    </Button>
  ),
})
