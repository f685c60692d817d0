import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { queries } from '../../../api/query-client.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ExportButton } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useFormDraft, useSessionDraft } from '../../../design/use-session-draft.ts'
import { EndpointForm, type EventType } from '../../webhooks/endpoint-form.tsx'
import { EndpointState, typesInWords } from '../../webhooks/endpoint-state.tsx'
import { NewSecret } from '../../webhooks/new-secret.tsx'
import { texts as accountTexts } from '../texts.ts'
import { createEndpoint, type Endpoint, endpointsQuery, organizationsQuery } from './queries.ts'
import { texts } from './texts.ts'

/** The webhook endpoints of the account and of the organizations that it owns. */
export function WebhooksPage() {
  const { filters, field } = useList({ owner: 'text' })
  const { data, error } = useQuery(endpointsQuery(filters.owner))
  const { data: organizations = [] } = useQuery(organizationsQuery)
  const [isAdding, setAdding] = useSessionDraft('webhook form', false)
  const [secret, setSecret] = useState<string>()
  const canAdd = !isAdding && !secret
  const ownOrganizations = organizations.filter(({ role }) => role === 'OrgOwner')
  return (
    <Section
      title={accountTexts.sections.webhooks}
      text={texts.text}
      actions={
        canAdd && data?.length !== 0 ? (
          <Button onClick={() => setAdding(true)}>{texts.add}</Button>
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
      {isAdding ? (
        <NewEndpointForm
          organization_id={filters.owner}
          onMade={(secret) => {
            setAdding(false)
            setSecret(secret)
            void queries.invalidateQueries({ queryKey: ['webhooks'] })
          }}
          onCancel={() => setAdding(false)}
        />
      ) : null}
      {secret ? (
        <NewSecret texts={texts.made} secret={secret} onDone={() => setSecret(undefined)} />
      ) : null}
      <DataTable
        caption={texts.caption}
        columns={columns}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty={
          <>
            <p className="text-soft">{texts.none}</p>
            {canAdd ? <Button onClick={() => setAdding(true)}>{texts.add}</Button> : null}
          </>
        }
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

const formTexts = texts.form

type Props = {
  organization_id: string | undefined
  onMade: (secret: string) => void
  onCancel: () => void
}

function NewEndpointForm({ organization_id, onMade, onCancel }: Props) {
  const [types, setTypes] = useSessionDraft<EventType[]>('webhook types', [])
  const draft = useFormDraft('webhook address', ['url'])
  const clear = () => {
    setTypes([])
    draft.clear()
  }
  const addMutation = useAction({
    mutationFn: (url: string) =>
      createEndpoint({
        url,
        types,
        ...(organization_id === undefined ? {} : { organization_id }),
      }),
    onSuccess: ({ secret }) => {
      clear()
      onMade(secret)
    },
  })
  return (
    <EndpointForm
      title={formTexts.title}
      heading="h2"
      submit={formTexts.add}
      types={types}
      onTypes={setTypes}
      saving={addMutation}
      onCancel={() => {
        clear()
        onCancel()
      }}
      form={draft.form}
    />
  )
}
