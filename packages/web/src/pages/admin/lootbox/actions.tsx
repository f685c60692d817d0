import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Lootbox } from '../../../api/admin-lootboxes.ts'
import { findUser } from '../../../api/admin-organizations.ts'
import { asProblem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { Field } from '../../../design/field.tsx'
import { TextArea } from '../../../design/text-area.tsx'
import { linesOf } from '../lines.ts'
import { texts as adminTexts } from '../texts.ts'
import { changeLootbox, deleteLootbox } from './queries.ts'
import { texts } from './texts.ts'

type Action = 'offer' | 'give' | 'open' | 'change' | 'remove'

/** The actions that the service allows in each state. */
const actionsOf = ({ status, lootbox_type_id }: Lootbox): Action[] => {
  const isByHand = lootbox_type_id === null
  if (status === 'Draft')
    return ['offer', 'give', ...(isByHand ? ['change' as const] : []), 'remove']
  if (status === 'Available') return ['give', 'remove']
  return status === 'Owned' ? ['give', 'open'] : []
}
const looks = { offer: 'main', give: 'main', open: 'second', change: 'second' } as const

export function BoxActions({ box }: { box: Lootbox }) {
  const [askedAction, setAskedAction] = useState<Action>()
  const actions = actionsOf(box)
  const close = () => setAskedAction(undefined)
  if (actions.length === 0) return <p className="text-soft">{texts.nothing}</p>
  return (
    <div className="flex flex-wrap gap-3">
      {actions.map((action, nth) => (
        <Button
          key={action}
          look={action === 'remove' ? 'danger' : nth === 0 ? looks[action] : 'second'}
          onClick={() => setAskedAction(action)}
        >
          {texts[action].action}
        </Button>
      ))}
      {askedAction === 'give' ? <OwnerDialog box={box} onClose={close} /> : null}
      {askedAction === 'change' ? <ContentsDialog box={box} onClose={close} /> : null}
      {askedAction === 'remove' ? <RemovalDialog box={box} onClose={close} /> : null}
      {askedAction === 'offer' ? (
        <ConfirmDialog
          {...texts.offer}
          asksReason
          run={(reason) => changeLootbox(box.id, { status: 'Available', reason })}
          onDone={() => announce(texts.offer.done)}
          onClose={close}
        />
      ) : null}
      {askedAction === 'open' ? (
        <ConfirmDialog
          {...texts.open}
          isDangerous
          asksReason
          run={(reason) => changeLootbox(box.id, { status: 'Used', reason })}
          onDone={() => announce(texts.open.done)}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

type Props = { box: Lootbox; onClose: () => void }

function OwnerDialog({ box: { id, status }, onClose }: Props) {
  const [owner_email, setOwner] = useState('')
  /** The typed address, if no account uses it. */
  const [stranger, setStranger] = useState<string>()
  const isAgain = status === 'Owned'
  const { title, titleAgain, text, action, owner, done } = texts.give
  const give = async (reason: string) => {
    if (stranger !== owner_email) {
      await findUser(owner_email, texts.give.unknown).catch((error) => {
        if (asProblem(error).code === 'unknown_user') setStranger(owner_email)
        throw error
      })
    }
    return changeLootbox(id, { status: 'Owned', owner_email, reason })
  }
  return (
    <ConfirmDialog
      text={text}
      action={action}
      onClose={onClose}
      title={isAgain ? titleAgain : title}
      isDangerous={isAgain}
      asksReason
      run={give}
      onDone={() => announce(done)}
    >
      <Field
        label={owner}
        type="email"
        required
        value={owner_email}
        onChange={({ currentTarget }) => setOwner(currentTarget.value)}
      />
      {stranger !== undefined && stranger === owner_email ? (
        <Checkbox label={texts.give.anyway} hint={texts.give.anywayHint} required />
      ) : null}
    </ConfirmDialog>
  )
}

function ContentsDialog({ box: { id, yats }, onClose }: Props) {
  const [ids, setIds] = useState(yats.join('\n'))
  const { title, text, action, done } = texts.change
  return (
    <ConfirmDialog
      title={title}
      text={text}
      action={action}
      onClose={onClose}
      asksReason
      run={(reason) => changeLootbox(id, { yats: linesOf(ids), reason })}
      onDone={() => announce(done)}
    >
      <TextArea
        label={adminTexts.boxes.ids}
        hint={adminTexts.boxes.idsHint}
        required
        rows={5}
        value={ids}
        onChange={({ currentTarget }) => setIds(currentTarget.value)}
      />
    </ConfirmDialog>
  )
}

function RemovalDialog({ box: { id }, onClose }: Props) {
  const navigate = useNavigate()
  return (
    <ConfirmDialog
      {...texts.remove}
      isDangerous
      asksReason
      run={(reason) => deleteLootbox(id, reason)}
      onDone={() => {
        announce(texts.remove.done)
        navigate({ to: '/admin/lootboxes' })
      }}
      onClose={onClose}
    />
  )
}
