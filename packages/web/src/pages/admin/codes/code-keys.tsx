import { useState } from 'react'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Field } from '../../../design/field.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Mono } from '../parts/facts.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { type Code, codeActions } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.keys
type Row = { code_id: string; pubkey: string; isOpen: boolean }

/** The signing keys of a code for random ids. */
export function CodeKeys({ code }: { code: Code }) {
  const isOpen = code.deleted_at === null
  const rows = code.pubkeys.map((pubkey) => ({ code_id: code.id, pubkey, isOpen }))
  return (
    <ListPanel
      title={texts.title}
      text={texts.text}
      actions={isOpen ? <AddKey id={code.id} /> : null}
    >
      <DataTable
        caption={texts.caption}
        columns={columns}
        rows={rows}
        keyOf={({ pubkey }) => pubkey}
        empty={texts.none}
      />
    </ListPanel>
  )
}

const columns: Column<Row>[] = [
  { title: texts.column, show: ({ pubkey }) => <Mono>{pubkey}</Mono> },
  {
    title: texts.actions,
    isAtEnd: true,
    show: ({ code_id, pubkey, isOpen }) =>
      isOpen ? (
        <AskButton
          {...texts.revoke}
          isDangerous
          asksReason
          run={(reason) => codeActions.revokeKey({ code_id, pubkey }, reason)}
        >
          <Mono>{pubkey}</Mono>
        </AskButton>
      ) : (
        '—'
      ),
  },
]

function AddKey({ id }: { id: string }) {
  const [pubkey, setPubkey] = useState('')
  return (
    <AskButton
      {...texts.add}
      onOpen={() => setPubkey('')}
      asksReason
      run={(reason) => codeActions.addKey({ code_id: id, pubkey: pubkey.trim() }, reason)}
    >
      <Field
        label={texts.add.field}
        hint={texts.add.hint}
        required
        pattern="\s*[0-9a-fA-F]{64}\s*"
        spellCheck={false}
        autoCapitalize="none"
        value={pubkey}
        onChange={({ currentTarget }) => setPubkey(currentTarget.value)}
      />
    </AskButton>
  )
}
