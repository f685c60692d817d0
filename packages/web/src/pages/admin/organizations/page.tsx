import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type ListedOrganization, organizationPageQuery } from '../../../api/admin.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { FormDialog } from '../../../design/dialog.tsx'
import { ReasonField, valueIn } from '../../../design/field.tsx'
import { Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { BasicFields } from '../organization/basic-fields.tsx'
import { texts as adminTexts } from '../texts.ts'
import { createOrganization } from './queries.ts'
import { texts } from './texts.ts'

export function OrganizationsPage() {
  const { page, filters, field } = useList({ q: 'text' })
  const answer = useQuery(organizationPageQuery({ page, ...filters }))
  const [isOpen, setOpen] = useState(false)
  return (
    <ListPage
      title={adminTexts.sections.organizations}
      actions={<Button onClick={() => setOpen(true)}>{texts.create}</Button>}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={columns}
      csv={{
        path: '/admin/organizations/export',
        name: 'organizations',
        filters: omitEmpty(filters),
      }}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    >
      {isOpen ? <NewOrganizationDialog onClose={() => setOpen(false)} /> : null}
    </ListPage>
  )
}

function NewOrganizationDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  return (
    <FormDialog
      title={texts.create}
      text={texts.createText}
      action={texts.createAction}
      run={(form) =>
        createOrganization({
          name: valueIn(form, 'name'),
          partner_path: valueIn(form, 'partner_path') || null,
          client_fee_percent: Number(valueIn(form, 'client_fee_percent') || 0),
          reason: valueIn(form, 'reason'),
        })
      }
      onDone={({ id, name }) => {
        announce(texts.created(name))
        navigate({ to: '/admin/organizations/$id', params: { id } })
      }}
      onClose={onClose}
      fields={['name', 'partner_path', 'client_fee_percent']}
    >
      {(problemIn) => (
        <>
          <BasicFields problemIn={problemIn} />
          <ReasonField />
        </>
      )}
    </FormDialog>
  )
}

const columns: Column<ListedOrganization>[] = [
  {
    title: texts.columns.name,
    show: ({ id, name }) => (
      <Link
        to="/admin/organizations/$id"
        params={{ id }}
        className="min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4"
      >
        {name}
      </Link>
    ),
  },
  {
    title: texts.columns.path,
    isLong: true,
    show: ({ partner_path }) =>
      partner_path ? (
        <code>{partner_path}</code>
      ) : (
        <span className="text-soft">{texts.noPath}</span>
      ),
  },
  {
    title: texts.columns.fee,
    isAtEnd: true,
    show: ({ client_fee_percent }) => texts.fee(client_fee_percent),
  },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
]
