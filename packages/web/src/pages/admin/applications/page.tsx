import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type Application, organizationQuery } from '../../../api/admin.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { texts as adminTexts } from '../texts.ts'
import { applicationPageQuery } from './queries.ts'
import { texts } from './texts.ts'

export function ApplicationsPage() {
  const { page, filters, field } = useList({ q: 'text', organization: 'text' })
  const answer = useQuery(applicationPageQuery({ page, ...filters }))
  const { organization } = filters
  return (
    <ListPage
      title={adminTexts.sections.applications}
      actions={
        <Link
          to="/admin/applications/new"
          search={(organization ? { organization } : {}) as never}
          className={buttonLook()}
        >
          {texts.create}
        </Link>
      }
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          {organization ? (
            <OrganizationFilter id={organization} onChange={field('organization').onChange} />
          ) : null}
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={columns}
      csv={{
        path: '/admin/oauth_clients/export',
        name: 'applications',
        filters: omitEmpty({ q: filters.q, organization_id: organization }),
      }}
      keyOf={({ client_id }) => client_id}
      empty={texts.notFound}
    />
  )
}

type FilterProps = { id: string; onChange: (id: string) => void }

/** The filter by organization that a link from an organization sets. */
function OrganizationFilter({ id, onChange }: FilterProps) {
  const { data } = useQuery(organizationQuery(id))
  return (
    <FilterSelect
      label={texts.organization}
      all={texts.everyOrganization}
      options={[{ value: id, text: data?.name ?? texts.thisOrganization }]}
      value={id}
      onChange={onChange}
    />
  )
}

const linkLook = 'min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4'

const columns: Column<Application>[] = [
  {
    title: texts.columns.name,
    show: ({ client_id, name }) => (
      <span className="grid gap-0.5">
        <Link to="/admin/applications/$id" params={{ id: client_id }} className={linkLook}>
          {name}
        </Link>
        <code className="text-sm wrap-anywhere text-soft">{client_id}</code>
      </span>
    ),
  },
  {
    title: texts.columns.organization,
    show: ({ organization_id, organization_name }) => (
      <Link
        to="/admin/organizations/$id"
        params={{ id: organization_id }}
        className="wrap-anywhere text-main underline underline-offset-4"
      >
        {organization_name}
      </Link>
    ),
  },
  {
    title: texts.columns.secrets,
    isAtEnd: true,
    show: ({ secrets }) => <span className="tabular-nums">{secrets.length}</span>,
  },
  { title: texts.columns.made, show: ({ created_at }) => <When at={created_at} /> },
]
