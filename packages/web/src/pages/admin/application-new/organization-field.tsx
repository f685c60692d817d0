import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { organizationPageQuery } from '../../../api/admin-organizations.ts'
import { SearchField } from '../../../design/filters.tsx'
import { Select } from '../../../design/select.tsx'
import { texts } from './texts.ts'

type Props = { chosen?: string; problem: string | undefined }

/** Searches and selects an organization. */
export function OrganizationField({ chosen, problem }: Props) {
  const [q, setQ] = useState(chosen ?? '')
  const { data } = useQuery(organizationPageQuery({ page: 0, q }))
  const organizations = data?.data ?? []
  const options = organizations.map(({ id, name, partner_path }) => ({
    value: id,
    text: partner_path ? `${name} (${partner_path})` : name,
  }))
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <SearchField label={texts.findOrganization} hint={texts.findHint} value={q} onChange={setQ} />
      <Select
        key={organizations.length === 1 ? organizations[0]?.id : 'many'}
        label={texts.organization}
        name="organization_id"
        required
        options={
          organizations.length === 1 ? options : [{ value: '', text: texts.choose }, ...options]
        }
        problem={data && organizations.length === 0 ? texts.noOrganization : problem}
      />
    </div>
  )
}
