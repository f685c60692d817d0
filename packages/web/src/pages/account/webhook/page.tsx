import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { useList } from '../../../design/list-search.ts'
import { DetailFallback, Part, Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { type Delivery, DeliveryLog, deliveryStatuses } from '../../webhooks/delivery-log.tsx'
import { EndpointForm, type EventType } from '../../webhooks/endpoint-form.tsx'
import { EndpointState, typesInWords } from '../../webhooks/endpoint-state.tsx'
import { NewSecret } from '../../webhooks/new-secret.tsx'
import {
  changeEndpoint,
  deleteEndpoint,
  deliveriesQuery,
  type Endpoint,
  endpointQuery,
  redeliver,
  replay,
  rotateSecret,
  sendTest,
} from './queries.ts'
import { texts } from './texts.ts'

const refresh = () => void queries.invalidateQueries({ queryKey: ['webhooks'] })

/** One endpoint and its log. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: endpoint, error } = useQuery(endpointQuery(id))
  if (!endpoint) {
    const backLink = (
      <Link to="/account/webhooks" className={buttonLook()}>
        {texts.back}
      </Link>
    )
    return (
      <Section title={texts.title}>
        <DetailFallback error={error} text={texts.missing} back={backLink} />
      </Section>
    )
  }
  return (
    <Section title={endpoint.url} text={typesInWords(endpoint.types)}>
      <State endpoint={endpoint} />
      <Log endpoint={endpoint} />
    </Section>
  )
}

function State({ endpoint }: { endpoint: Endpoint }) {
  const { id, status, replay_from } = endpoint
  const navigate = useNavigate()
  const [dialog, setDialog] = useState<'rotate' | 'remove'>()
  const [isEditing, setEditing] = useState(false)
  const [secret, setSecret] = useState<string>()
  const isStopped = status === 'stopped'
  const action = useAction({
    mutationFn: async (work: () => Promise<string>) => announce(await work()),
    onSuccess: refresh,
  })
  const run = (work: () => Promise<unknown>, done: string) =>
    action.mutate(async () => {
      await work()
      return done
    })
  return (
    <Part title={texts.state}>
      <EndpointState {...endpoint} />
      {replay_from && status === 'active' ? (
        <p className="flex flex-wrap items-center gap-3">
          {texts.missed}
          <Button
            look="second"
            onClick={() => action.mutate(async () => texts.replayed(await replay(id, replay_from)))}
          >
            {texts.replay}
          </Button>
        </p>
      ) : null}
      {isEditing ? (
        <EditEndpointForm
          endpoint={endpoint}
          onDone={() => {
            setEditing(false)
            announce(texts.edit.done)
            refresh()
          }}
          onCancel={() => setEditing(false)}
        />
      ) : null}
      {secret ? (
        <NewSecret texts={texts.secret} secret={secret} onDone={() => setSecret(undefined)} />
      ) : null}
      <ErrorOf thrown={action.error} />
      <div className="flex flex-wrap gap-3">
        {status === 'active' ? (
          <>
            <Button isBusy={action.isPending} onClick={() => run(() => sendTest(id), texts.tested)}>
              {texts.test}
            </Button>
            <Button
              look="second"
              onClick={() => run(() => changeEndpoint(id, { is_paused: true }), texts.paused)}
            >
              {texts.pause}
            </Button>
          </>
        ) : null}
        {status === 'paused' || status === 'disabled' ? (
          <Button
            onClick={() => run(() => changeEndpoint(id, { is_paused: false }), texts.resumed)}
          >
            {texts.resume}
          </Button>
        ) : null}
        {isStopped ? null : (
          <Button look="second" onClick={() => setEditing(true)}>
            {texts.edit.label}
          </Button>
        )}
        <Button look="second" onClick={() => setDialog('rotate')}>
          {texts.rotate.label}
        </Button>
        {isStopped ? null : (
          <Button look="second" onClick={() => setDialog('remove')}>
            {texts.remove.label}
          </Button>
        )}
      </div>
      {dialog === 'rotate' ? (
        <ConfirmDialog
          {...texts.rotate}
          run={() => rotateSecret(id)}
          onDone={(rotation) => {
            setSecret(rotation.secret)
            refresh()
          }}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
      {dialog === 'remove' ? (
        <ConfirmDialog
          {...texts.remove}
          isDangerous
          run={() => deleteEndpoint(id)}
          onDone={() => {
            announce(texts.remove.done)
            void navigate({ to: '/account/webhooks' }).then(refresh)
          }}
          onClose={() => setDialog(undefined)}
        />
      ) : null}
    </Part>
  )
}

function Log({ endpoint: { id, status } }: { endpoint: Endpoint }) {
  const { page, filters, field } = useList({ status: deliveryStatuses })
  const answer = useQuery(deliveriesQuery(id, page, filters.status))
  const redeliverButton = ({ id: delivery_id, type }: Delivery) => (
    <AgainButton key={delivery_id} id={id} delivery_id={delivery_id} type={type} />
  )
  return (
    <Part title={texts.log} text={texts.logText}>
      <DeliveryLog
        answer={answer}
        status={field('status')}
        csv={{
          path: '/webhook_endpoints/{id}/deliveries/export',
          name: 'deliveries',
          id,
          filters: omitEmpty(filters),
        }}
        {...(status === 'active' ? { actionsOf: redeliverButton } : {})}
      />
    </Part>
  )
}

function AgainButton({ id, delivery_id, type }: { id: string; delivery_id: string; type: string }) {
  const sending = useAction({
    mutationFn: () => redeliver(id, delivery_id),
    onSuccess: () => {
      announce(texts.queued)
      refresh()
    },
  })
  return (
    <>
      <Button look="second" isBusy={sending.isPending} onClick={() => sending.mutate()}>
        {texts.again}
        <span className="sr-only">: {type}</span>
      </Button>
      <ErrorOf thrown={sending.error} />
    </>
  )
}

type Props = { endpoint: Endpoint; onDone: () => void; onCancel: () => void }

function EditEndpointForm({ endpoint, onDone, onCancel }: Props) {
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
