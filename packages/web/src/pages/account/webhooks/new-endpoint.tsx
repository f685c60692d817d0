import { useAction } from '../../../design/use-action.ts'
import { useFormDraft, useSessionDraft } from '../../../design/use-session-draft.ts'
import { EndpointForm } from '../../webhooks/endpoint-form.tsx'
import type { EventType } from '../../webhooks/event-types.tsx'
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
    <EndpointForm
      title={texts.title}
      heading="h2"
      submit={texts.add}
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
