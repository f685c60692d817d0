import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Money } from '../../../design/money.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { DisputeState } from '../disputes/state.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { ListPanel, Panel } from '../parts/panel.tsx'
import { type DisputeFacts, disputeActions, disputeQuery } from './queries.ts'
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

const idsTexts = texts.ids
type Id = DisputeFacts['ids'][number]

/** The ids of the order and their owners. */
const Ids = ({ dispute }: { dispute: DisputeFacts }) => (
  <ListPanel
    title={idsTexts.title}
    text={dispute.status === 'lost' ? idsTexts.textLost : idsTexts.text}
  >
    <DataTable
      caption={idsTexts.caption}
      columns={columnsFor(dispute)}
      rows={dispute.ids}
      keyOf={({ emoji_id }) => emoji_id}
      empty={idsTexts.none}
    />
  </ListPanel>
)

const columnsFor = (dispute: DisputeFacts): Column<Id>[] => [
  {
    title: idsTexts.columns.id,
    show: ({ display_format }) => <EmojiId id={display_format} size="small" />,
  },
  { title: idsTexts.columns.where, show: (id) => <OwnerCell {...id} /> },
  { title: idsTexts.columns.state, show: (id) => <StateCell {...id} /> },
  {
    title: idsTexts.columns.actions,
    isAtEnd: true,
    show: (id) => (id.frozen ? <DisputeDecision dispute={dispute} id={id} /> : '—'),
  },
]

const describePlace = ({ place, owner }: Pick<Id, 'place' | 'owner'>) => {
  if (place === 'buyer' || place === 'organization') return idsTexts.places[place]
  return owner ? idsTexts.places.other : idsTexts.places.unknown
}

const OwnerCell = ({ place, owner, organization, handed_on }: Id) => (
  <>
    {describePlace({ place, owner })}{' '}
    {place !== 'buyer' && owner ? <PersonLink id={owner.id} email={owner.email} /> : null}
    {organization?.name}
    <TransferHistory moves={handed_on} />
  </>
)

/** The transfers of an id since the purchase. */
const TransferHistory = ({ moves }: { moves: Id['handed_on'] }) =>
  moves.length === 0 ? null : (
    <ul className="mt-1 grid gap-1 text-sm text-soft">
      {moves.map(({ at, to }) => (
        <li key={at}>
          {idsTexts.handedOn} <When at={at} isExact /> {idsTexts.to}{' '}
          {to ? <PersonLink id={to.id} email={to.email} /> : idsTexts.unknown}
        </li>
      ))}
    </ul>
  )

const StateCell = ({ frozen, minted, signed_until }: Id) => (
  <span className="grid justify-items-start gap-1">
    <span className="flex flex-wrap gap-2">
      <Badge tone={frozen ? 'main' : 'good'}>{frozen ? idsTexts.frozen : idsTexts.free}</Badge>
      {minted ? <Badge>{idsTexts.minted}</Badge> : null}
    </span>
    {signed_until && isSigned({ signed_until }) ? (
      <span className="text-sm text-soft">
        {idsTexts.signed} <When at={signed_until} isExact />{' '}
        <Link to="/admin/tokens" className="text-main underline underline-offset-4">
          {idsTexts.who}
        </Link>
      </span>
    ) : null}
  </span>
)

type Props = { dispute: DisputeFacts; id?: Id }

/** Whether a mint signature is valid right now. */
const isSigned = ({ signed_until }: Pick<Id, 'signed_until'>): boolean =>
  signed_until !== null && new Date(signed_until) > new Date()

/** Why the ids cannot be taken back. */
function findObstacle(ids: readonly Id[]): string | null {
  if (ids.some(({ minted }) => minted)) return texts.ids.minting
  return ids.some(isSigned) ? texts.ids.waits : null
}

/** Takes back or leaves one id, or all frozen items. */
function DisputeDecision({ dispute, id }: Props) {
  const { takeBack, leave } = disputeActions(dispute.id)
  const emoji_id = id?.emoji_id
  if (!dispute.awaits_decision && dispute.status !== 'open') return null
  const obstacle = findObstacle(id ? [id] : dispute.ids.filter(({ frozen }) => frozen))
  const mayTake = dispute.awaits_decision && obstacle === null
  return (
    <div className="flex flex-wrap gap-3">
      {dispute.awaits_decision && id && obstacle ? (
        <p className="w-full text-sm text-soft">{obstacle}</p>
      ) : null}
      {mayTake ? (
        <AskButton
          {...texts.takeBack}
          look="danger"
          isDangerous
          asksReason
          run={(reason, key) => takeBack(key, reason, emoji_id)}
        />
      ) : null}
      <AskButton {...texts.leave} asksReason run={(reason, key) => leave(key, reason, emoji_id)} />
    </div>
  )
}
