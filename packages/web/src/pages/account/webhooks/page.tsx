import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { queries } from '../../../api/query-client.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ExportButton } from '../../../design/export-button.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { Section } from '../../../design/section.tsx'
import { EndpointState, typesInWords } from '../../webhooks/endpoint-state.tsx'
import { NewSecret } from '../../webhooks/new-secret.tsx'
import { texts as accountTexts } from '../texts.ts'
import { NewEndpointForm } from './new-endpoint.tsx'
import { type Endpoint, endpointsQuery, organizationsQuery } from './queries.ts'
import { texts } from './texts.ts'

type Step = { at: 'list' } | { at: 'form' } | { at: 'made'; secret: string }

/** The webhook endpoints of the account and of the organizations that it owns. */
export function WebhooksPage() {
  const { filters, field } = useList({ owner: 'text' })
  const { data, error } = useQuery(endpointsQuery(filters.owner))
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const [step, setStep] = useState<Step>({ at: 'list' })
  const ownOrganizations = organizations.filter(({ role }) => role === 'OrgOwner')
  return (
    <Section
      title={accountTexts.sections.webhooks}
      text={texts.text}
      actions={
        step.at === 'list' ? (
          <Button onClick={() => setStep({ at: 'form' })}>{texts.add}</Button>
        ) : null
      }
    >
      {ownOrganizations.length > 0 ? (
        <Filters label={texts.owner}>
          <FilterSelect
            label={texts.owner}
            all={texts.own}
            options={ownOrganizations.map(({ id, name }) => ({ value: id, text: name }))}
            {...field('owner')}
          />
        </Filters>
      ) : null}
      {step.at === 'form' ? (
        <NewEndpointForm
          organization_id={filters.owner}
          onMade={(secret) => {
            setStep({ at: 'made', secret })
            void queries.invalidateQueries({ queryKey: ['webhooks'] })
          }}
          onCancel={() => setStep({ at: 'list' })}
        />
      ) : null}
      {step.at === 'made' ? (
        <NewSecret texts={texts.made} secret={step.secret} onDone={() => setStep({ at: 'list' })} />
      ) : null}
      <DataTable
        caption={texts.caption}
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty={texts.none}
      />
      {data && data.length > 0 ? (
        <ExportButton
          list={{
            path: '/webhook_endpoints/export',
            name: 'webhooks',
            filters: omitEmpty({ organization_id: filters.owner }),
          }}
        />
      ) : null}
    </Section>
  )
}

const columns: Column<Endpoint>[] = [
  {
    title: texts.columns.address,
    show: ({ id, url }) => (
      <Link
        to="/account/webhooks/$id"
        params={{ id }}
        className="min-h-6 font-semibold wrap-anywhere text-main underline underline-offset-4"
      >
        {url}
      </Link>
    ),
  },
  { title: texts.columns.state, show: (endpoint) => <EndpointState {...endpoint} /> },
  { title: texts.columns.types, isLong: true, show: ({ types }) => typesInWords(types) },
  {
    title: texts.columns.success,
    show: ({ last_success_at }) => (last_success_at ? <When at={last_success_at} /> : texts.never),
  },
]
