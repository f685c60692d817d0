import { type FormEvent, useState } from 'react'
import type { Organization } from '../../../api/admin-organizations.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { valueIn } from '../../../design/field.tsx'
import { BasicFields } from './basic-fields.tsx'
import { changeOrganization, type OrganizationChange } from './queries.ts'
import { texts } from './texts.ts'

export function Basics({ organization }: { organization: Organization }) {
  const { id, partner_path } = organization
  const [change, setChange] = useState<OrganizationChange>()
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    setChange({
      name: valueIn(form, 'name'),
      partner_path: valueIn(form, 'partner_path'),
      client_fee_percent: Number(valueIn(form, 'client_fee_percent') || 0),
    })
  }
  const isMoved = change !== undefined && partner_path && change.partner_path !== partner_path
  return (
    <form className="grid gap-4" onSubmit={submit}>
      <BasicFields organization={organization} />
      <Button type="submit" className="justify-self-start">
        {texts.save}
      </Button>
      {change ? (
        <ConfirmDialog
          title={texts.saveTitle}
          text={isMoved ? texts.pathText : texts.saveText}
          action={texts.save}
          isDangerous={Boolean(isMoved)}
          asksReason
          run={(reason) => changeOrganization(id, { ...change, reason })}
          onDone={() => announce(texts.saved)}
          onClose={() => setChange(undefined)}
        />
      ) : null}
    </form>
  )
}
