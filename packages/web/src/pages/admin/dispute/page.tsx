import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { Money } from '../../../design/money.tsx'
import { Section } from '../../../design/section.tsx'
import { DisputeState } from '../disputes/state.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { DisputeDecision } from './decide.tsx'
import { Ids } from './ids.tsx'
import { type DisputeFacts, disputeQuery } from './queries.ts'
import { texts } from './texts.ts'

/** One dispute with the bank's data and the disputed items. */
export function DisputePage() {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(disputeQuery(id))
  if (!data) {
    return (
      <Section title={texts.plainTitle}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  const isFrozen = [...data.ids, ...data.lootboxes].some(({ frozen }) => frozen)
  return (
    <Section title={texts.title(data.order_number)}>
      {isFrozen ? <DisputeDecision dispute={data} /> : null}
      <Panel title={texts.summary}>
        <Facts facts={factsOf(data)} />
      </Panel>
      <Ids dispute={data} />
      {data.lootboxes.length > 0 ? (
        <Panel title={texts.boxes.title}>
          <Facts
            facts={data.lootboxes.map((box) => ({
              name: box.id.slice(-8),
              value: `${box.status}. ${box.frozen ? texts.boxes.frozen : texts.boxes.free}`,
            }))}
          />
        </Panel>
      ) : null}
    </Section>
  )
}

function factsOf(dispute: DisputeFacts) {
  const { facts } = texts
  const { user } = dispute
  const moment = (name: string, at: string | null) =>
    at ? [{ name, value: <When at={at} isExact /> }] : []
  return [
    { name: facts.state, value: <DisputeState dispute={dispute} /> },
    {
      name: facts.order,
      value: <OrderLink id={dispute.order_id}>{dispute.order_number}</OrderLink>,
    },
    {
      name: facts.buyer,
      value: <PersonLink id={user.id} email={user.email} />,
    },
    { name: facts.amount, value: <Money cents={dispute.amount_in_cents} /> },
    { name: facts.reason, value: dispute.reason.replaceAll('_', ' ') },
    ...moment(facts.opened, dispute.opened_at),
    ...(dispute.status === 'open' ? moment(facts.until, dispute.answer_until) : []),
    ...moment(facts.closed, dispute.closed_at),
    ...(dispute.decision
      ? [
          {
            name: facts.decision,
            value: `${texts.decisions[dispute.decision]}: ${dispute.decision_reason}`,
          },
        ]
      : []),
    ...moment(facts.decided, dispute.decided_at),
    ...(dispute.decided_by_user
      ? [
          {
            name: facts.decidedBy,
            value: (
              <PersonLink id={dispute.decided_by_user.id} email={dispute.decided_by_user.email} />
            ),
          },
        ]
      : []),
    { name: facts.reference, value: <Mono>{dispute.reference}</Mono> },
  ]
}

const Back = () => (
  <Link to="/admin/disputes" className={buttonLook()}>
    {texts.back}
  </Link>
)
