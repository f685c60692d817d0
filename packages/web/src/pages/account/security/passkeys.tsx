import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addPasskey,
  canUsePasskeys,
  confirmPasskey,
  type Passkey,
  passkeysQuery,
  removePasskey,
  renamePasskey,
} from '../../../api/passkeys.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { FormDialog } from '../../../design/dialog.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { Part } from '../../../design/section.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.passkeys

type OpenDialog = { dialog: 'add' } | { dialog: 'confirm' | 'rename' | 'remove'; passkey: Passkey }

/** The passkeys of the account: several, named, removable. */
export function Passkeys() {
  const { data, error } = useQuery(passkeysQuery)
  const [open, setOpen] = useState<OpenDialog>()
  const close = () => setOpen(undefined)
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        canUsePasskeys() ? (
          <Button look="second" onClick={() => setOpen({ dialog: 'add' })}>
            {texts.add}
          </Button>
        ) : null
      }
    >
      {data?.length === 0 ? (
        <p>{canUsePasskeys() ? texts.none : texts.unable}</p>
      ) : (
        <DataTable
          caption={texts.caption}
          columns={columnsWith(setOpen)}
          rows={data}
          keyOf={({ id }) => id}
          error={error}
          empty={texts.none}
        />
      )}
      {open ? <PasskeyDialog open={open} onClose={close} /> : null}
    </Part>
  )
}

function PasskeyDialog({ open, onClose }: { open: OpenDialog; onClose: () => void }) {
  const words = texts.dialogs[open.dialog]
  const run = async (form: HTMLFormElement) => {
    const name = valueIn(form, 'name')
    if (open.dialog === 'add') return addPasskey(name)
    if (open.dialog === 'confirm') return confirmPasskey(open.passkey.id)
    if (open.dialog === 'rename') return renamePasskey(open.passkey.id, name)
    return removePasskey(open.passkey.id)
  }
  return (
    <FormDialog
      title={words.title}
      text={words.text}
      action={words.action}
      isDangerous={open.dialog === 'remove'}
      run={run}
      onDone={() => announce(words.done)}
      onClose={onClose}
    >
      {() =>
        open.dialog === 'remove' || open.dialog === 'confirm' ? (
          <p className="font-semibold wrap-anywhere">{open.passkey.name}</p>
        ) : (
          <Field
            label={texts.name}
            hint={texts.nameHint}
            name="name"
            required
            {...textLengths.passkeyName}
            autoComplete="off"
            defaultValue={open.dialog === 'rename' ? open.passkey.name : ''}
          />
        )
      }
    </FormDialog>
  )
}

const actionsFor = ({ needs_code }: Passkey) =>
  needs_code ? (['confirm', 'rename', 'remove'] as const) : (['rename', 'remove'] as const)

const columnsWith = (onOpen: (open: OpenDialog) => void): Column<Passkey>[] => [
  {
    title: texts.columns.name,
    show: ({ name, needs_code }) => (
      <span className="grid gap-1">
        <span className="font-semibold wrap-anywhere">{name}</span>
        {needs_code ? <span className="text-sm text-soft">{texts.needsCode}</span> : null}
      </span>
    ),
  },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.used,
    show: ({ last_used_at }) => (last_used_at ? <When at={last_used_at} /> : texts.never),
  },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (passkey) => (
      <div className="flex flex-wrap justify-end gap-2">
        {actionsFor(passkey).map((dialog) => (
          <Button key={dialog} look="second" onClick={() => onOpen({ dialog, passkey })}>
            {texts[dialog]}
            <span className="sr-only">: {passkey.name}</span>
          </Button>
        ))}
      </div>
    ),
  },
]
