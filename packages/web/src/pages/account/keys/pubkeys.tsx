import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type OwnPubkey, pubkeysQuery } from '../../../api/pubkeys.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { Part } from '../../../design/section.tsx'
import { AddPubkey, ProvePubkey } from './pubkey-dialogs.tsx'
import { makePubkey } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.pubkeys

type OpenDialog = { dialog: 'make' | 'add' } | { dialog: 'prove'; pubkey: string }

export function Pubkeys() {
  const { data, error } = useQuery(pubkeysQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  const finish = (sentence: string) => {
    announce(sentence)
    void queries.invalidateQueries({ queryKey: pubkeysQuery.queryKey })
  }
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        <>
          <Button look="second" onClick={() => setOpen({ dialog: 'make' })}>
            {texts.make}
          </Button>
          <Button look="second" onClick={() => setOpen({ dialog: 'add' })}>
            {texts.add}
          </Button>
        </>
      }
    >
      <DataTable
        caption={texts.caption}
        columns={columnsWith((pubkey) => setOpen({ dialog: 'prove', pubkey }))}
        rows={data}
        keyOf={({ pubkey }) => pubkey}
        error={error}
        empty={texts.title}
      />
      {open?.dialog === 'make' ? (
        <ConfirmDialog
          title={texts.confirmMake.title}
          text={texts.confirmMake.text}
          action={texts.confirmMake.action}
          run={makePubkey}
          onDone={() => finish(texts.made)}
          onClose={close}
        />
      ) : null}
      {open?.dialog === 'add' ? (
        <AddPubkey
          own={data ?? []}
          onAdded={(pubkey) => {
            finish(texts.added)
            setOpen({ dialog: 'prove', pubkey })
          }}
          onClose={close}
        />
      ) : null}
      {open?.dialog === 'prove' ? (
        <ProvePubkey pubkey={open.pubkey} onProven={() => finish(texts.proven)} onClose={close} />
      ) : null}
    </Part>
  )
}

const tones = { kept_here: 'plain', proven: 'good', unproven: 'wrong' } as const

const columnsWith = (onProve: (pubkey: string) => void): Column<OwnPubkey>[] => [
  {
    title: texts.columns.key,
    show: ({ pubkey }) => <span className="font-mono text-sm wrap-anywhere">{pubkey}</span>,
  },
  {
    title: texts.columns.state,
    show: ({ state }) => (
      <span className="grid justify-items-end gap-1 md:justify-items-start md:text-left">
        <Badge tone={tones[state]}>{texts.states[state]}</Badge>
        {state === 'unproven' ? (
          <span className="text-sm text-soft">{texts.unprovenText}</span>
        ) : null}
      </span>
    ),
  },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ pubkey, state }) =>
      state === 'unproven' ? (
        <Button look="second" onClick={() => onProve(pubkey)}>
          {texts.prove}
          <span className="sr-only">: {pubkey}</span>
        </Button>
      ) : null,
  },
]
