import { useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import { type EventType, EventTypes } from '../../webhooks/event-types.tsx'
import { changeEndpoint, type Endpoint } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.edit

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
    <form
      aria-label={texts.title}
      className="grid gap-5 rounded-field border border-hair p-4"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(valueIn(event.currentTarget, 'url'))
      }}
    >
      <h3 className="font-semibold">{texts.title}</h3>
      <Field
        label={texts.address}
        hint={texts.hint}
        name="url"
        type="url"
        defaultValue={url}
        maxLength={2_048}
        required
        autoFocus
        autoComplete="off"
      />
      <EventTypes texts={texts} types={types} onChange={setTypes} />
      <ErrorOf thrown={saving.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={saving.isPending}>
          {texts.save}
        </Button>
        <Button look="second" disabled={saving.isPending} onClick={onCancel}>
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
