import { useState } from 'react'
import type { Application } from '../../../api/admin-applications.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { addSecret, endSecret } from './queries.ts'
import { ShownSecret } from './shown-secret.tsx'
import { texts } from './texts.ts'

const secretsAtMost = 2

type Row = Application['secrets'][number] & { nth: number }

export function Secrets({ application: { client_id, secrets } }: { application: Application }) {
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
      {rows.length < secretsAtMost ? (
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
