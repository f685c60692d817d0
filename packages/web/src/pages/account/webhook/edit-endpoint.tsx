import { useState } from 'react'
import { useAction } from '../../../design/use-action.ts'
import { EndpointForm } from '../../webhooks/endpoint-form.tsx'
import type { EventType } from '../../webhooks/event-types.tsx'
import { changeEndpoint, type Endpoint } from './queries.ts'
import { texts } from './texts.ts'

type Props = { endpoint: Endpoint; onDone: () => void; onCancel: () => void }

export function EditEndpointForm({ endpoint, onDone, onCancel }: Props) {
  const { id, url } = endpoint
  const [types, setTypes] = useState(endpoint.types as EventType[])
  const saving = useAction({
    // An unchanged address is not sent: a new one makes the caller responsible.
    mutationFn: (typed: string) =>
      changeEndpoint(id, { types, ...(typed === url ? {} : { url: typed }) }),
    onSuccess: onDone,
  })
  return (
    <EndpointForm
      title={texts.edit.title}
      heading="h3"
      submit={texts.edit.save}
      url={url}
      types={types}
      onTypes={setTypes}
      saving={saving}
      onCancel={onCancel}
    />
  )
}
