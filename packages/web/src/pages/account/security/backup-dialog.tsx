import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { addresses } from '../../../api/addresses.ts'
import { queries } from '../../../api/query-client.ts'
import { session } from '../../../api/session.ts'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { Field } from '../../../design/field.tsx'
import { turnOffWithBackup } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.withBackup

type Props = {
  user: { email: string | null; alternate_id: string | null }
  onClose: () => void
}

/** Turns the second factor off with a backup code, for owners without their device. */
export function BackupDialog({ user, onClose }: Props) {
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  return (
    <ConfirmDialog
      title={texts.title}
      text={texts.text}
      action={texts.action}
      isDangerous
      run={async () => {
        await turnOffWithBackup(code.trim(), user)
        // The request revoked this session with all others.
        await session.end()
      }}
      onDone={() => {
        queries.clear()
        void navigate({ to: '/sign-in', search: { next: '/account/security' } })
      }}
      onClose={onClose}
    >
      <Field
        label={texts.label}
        hint={texts.hint}
        required
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      <a href={`${addresses.auth}/lost_factor`}>{texts.none}</a>
    </ConfirmDialog>
  )
}
