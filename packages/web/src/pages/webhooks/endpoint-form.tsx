import { textLengths } from '@emojid/core'
import type { ComponentProps } from 'react'
import type { BodyOf } from '../../api/shapes.ts'
import { Button } from '../../design/button.tsx'
import { Checkbox } from '../../design/choice.tsx'
import { ErrorOf } from '../../design/feedback.tsx'
import { Field, valueIn } from '../../design/field.tsx'
import { texts } from './texts.ts'

type Props = {
  title: string
  heading: 'h2' | 'h3'
  submit: string
  /** The current address. */
  url?: string
  types: readonly EventType[]
  onTypes: (types: EventType[]) => void
  saving: { error: Error | null; isPending: boolean; mutate: (url: string) => void }
  onCancel: () => void
  /** Further properties of the form, for drafts. */
  form?: ComponentProps<'form'>
}

/** The address and the events of an endpoint. */
export function EndpointForm({
  title,
  heading: Heading,
  submit,
  url,
  types,
  onTypes,
  saving,
  onCancel,
  form,
}: Props) {
  return (
    <form
      {...form}
      aria-label={title}
      className="grid gap-5 rounded-field border border-hair p-4"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate(valueIn(event.currentTarget, 'url'))
      }}
    >
      <Heading className="font-semibold">{title}</Heading>
      <Field
        label={texts.form.address}
        hint={texts.form.hint}
        name="url"
        type="url"
        defaultValue={url}
        {...textLengths.url}
        required
        autoFocus
        autoComplete="off"
      />
      <EventTypes types={types} onChange={onTypes} />
      <ErrorOf thrown={saving.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={saving.isPending}>
          {submit}
        </Button>
        <Button look="second" disabled={saving.isPending} onClick={onCancel}>
          {texts.form.cancel}
        </Button>
      </div>
    </form>
  )
}

export type EventType = NonNullable<BodyOf<'createWebhookEndpoint'>['types']>[number]

const eventTypes: readonly EventType[] = [
  'emoji_id.registered',
  'emoji_id.records_changed',
  'emoji_id.transferred',
  'emoji_id.released',
  'emoji_id.suspended',
  'emoji_id.restored',
  'order.paid',
  'order.refunded',
  'transfer.offered',
  'transfer.accepted',
]

type EventTypesProps = {
  types: readonly EventType[]
  onChange: (types: EventType[]) => void
}

function EventTypes({ types, onChange }: EventTypesProps) {
  const toggle = (type: EventType) =>
    onChange(types.includes(type) ? types.filter((one) => one !== type) : [...types, type])
  return (
    <fieldset className="grid gap-1 sm:grid-cols-2">
      <legend className="font-semibold">{texts.form.legend}</legend>
      <p className="text-sm text-soft sm:col-span-2">{texts.form.typesHint}</p>
      {eventTypes.map((type) => (
        <Checkbox
          key={type}
          label={type}
          checked={types.includes(type)}
          onChange={() => toggle(type)}
        />
      ))}
    </fieldset>
  )
}
