import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { buttonLook } from '../../../design/button.tsx'
import { useList } from '../../../design/list-search.ts'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { DeliveryLog, deliveryStatuses } from '../../webhooks/delivery-log.tsx'
import { EndpointState, typesInWords } from '../../webhooks/endpoint-state.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Panel } from '../parts/panel.tsx'
import { anyDeliveriesQuery, anyEndpointQuery, setStopped } from './queries.ts'
import { texts } from './texts.ts'

/** A webhook endpoint of any owner. */
export function WebhookPage() {
  const { id = '' } = useParams({ strict: false })
  const { page, filters, field } = useList({ status: deliveryStatuses })
  const { data: endpoint, error } = useQuery(anyEndpointQuery(id))
  const answer = useQuery(anyDeliveriesQuery(id, page, filters.status))
  if (!endpoint) {
    const backLink = (
      <Link to="/admin/webhooks" className={buttonLook()}>
        {texts.back}
      </Link>
    )
    return (
      <Section title={texts.title}>
        <DetailFallback error={error} text={texts.missing} back={backLink} />
      </Section>
    )
  }
  const isStopped = endpoint.status === 'stopped'
  return (
    <Section
      title={endpoint.url}
      text={
        <>
          {texts.of}{' '}
          <Link
            to="/admin/users/$id"
            params={{ id: endpoint.user_id }}
            className="wrap-anywhere text-main underline underline-offset-4"
          >
            {endpoint.user_email ?? endpoint.user_id}
          </Link>
          {endpoint.organization_name ? ` · ${endpoint.organization_name}` : ''} ·{' '}
          {typesInWords(endpoint.types)}
        </>
      }
    >
      <Panel title={texts.state}>
        <EndpointState {...endpoint} />
        <AskButton
          {...(isStopped ? texts.restore : texts.stop)}
          asksReason
          isDangerous={!isStopped}
          run={(reason) => setStopped(id, !isStopped, reason)}
        />
      </Panel>
      <Panel title={texts.log}>
        <DeliveryLog
          answer={answer}
          status={field('status')}
          csv={{
            path: '/admin/webhook_endpoints/{id}/deliveries/export',
            name: 'deliveries',
            id,
            filters: omitEmpty(filters),
          }}
        />
      </Panel>
    </Section>
  )
}
