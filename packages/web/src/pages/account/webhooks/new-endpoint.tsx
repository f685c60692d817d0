import { Button } from '../../../design/button.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Field, valueIn } from '../../../design/field.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useFormDraft, useSessionDraft } from '../../../design/use-session-draft.ts'
import { type EventType, EventTypes } from '../../webhooks/event-types.tsx'
import { createEndpoint } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.form

type Props = {
  organization_id: string | undefined
  onMade: (secret: string) => void
  onCancel: () => void
}

export function NewEndpointForm({ organization_id, onMade, onCancel }: Props) {
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
    <form
      {...draft.form}
      aria-label={texts.title}
      className="grid gap-5 rounded-field border border-hair p-4"
      onSubmit={(event) => {
        event.preventDefault()
        addMutation.mutate(valueIn(event.currentTarget, 'url'))
      }}
    >
      <h2 className="font-semibold">{texts.title}</h2>
      <Field
        label={texts.address}
        hint={texts.hint}
        name="url"
        type="url"
        maxLength={2_048}
        required
        autoFocus
        autoComplete="off"
      />
      <EventTypes texts={texts} types={types} onChange={setTypes} />
      <ErrorOf thrown={addMutation.error} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={addMutation.isPending}>
          {texts.add}
        </Button>
        <Button
          look="second"
          disabled={addMutation.isPending}
          onClick={() => {
            clear()
            onCancel()
          }}
        >
          {texts.cancel}
        </Button>
      </div>
    </form>
  )
}
