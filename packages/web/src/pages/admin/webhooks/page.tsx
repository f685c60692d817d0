import { endpointStatuses } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { omitEmpty } from '../../../api/omit-empty.ts'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { EndpointState } from '../../webhooks/endpoint-state.tsx'
import { texts as adminTexts } from '../texts.ts'
import { type AnyEndpoint, endpointPageQuery } from './queries.ts'
import { texts } from './texts.ts'

/** The webhook endpoints of all owners. */
export function WebhooksPage() {
  const { page, filters, field } = useList({ q: 'text', status: endpointStatuses })
  const answer = useQuery(endpointPageQuery(page, filters))
  return (
    <ListPage
      title={adminTexts.sections.webhooks}
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          <FilterSelect
            label={texts.status}
            all={texts.everyStatus}
            options={optionsOf(endpointStatuses, texts.statuses)}
            {...field('status')}
          />
        </Filters>
      }
      answer={answer}
      csv={{
        path: '/admin/webhook_endpoints/export',
        name: 'webhooks',
        filters: omitEmpty(filters),
      }}
      texts={texts}
      columns={columns}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}

const columns: Column<AnyEndpoint>[] = [
  {
    title: texts.columns.address,
    show: ({ id, url }) => (
      <Link
        to="/admin/webhooks/$id"
        params={{ id }}
        className="min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4"
      >
        {url}
      </Link>
    ),
  },
  {
    title: texts.columns.owner,
    show: ({ organization_name, user_email, user_id }) =>
      organization_name ?? user_email ?? user_id,
  },
  { title: texts.columns.state, show: (endpoint) => <EndpointState {...endpoint} /> },
  { title: texts.columns.waiting, isAtEnd: true, show: ({ waiting }) => waiting },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
]
