import { Badge, type Tone } from '../../../design/badge.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Money } from '../../../design/money.tsx'
import { Facts, Mono } from '../parts/facts.tsx'
import { OrderLink, OrganizationLink, PersonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import { SuspendedBadge } from '../parts/suspension/suspended-badge.tsx'
import { texts as adminTexts } from '../texts.ts'
import { IdActions } from './actions.tsx'
import type { IdOverview } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.facts

const tones: Partial<Record<IdOverview['state'], Tone>> = { owned: 'good', available: 'main' }

/** Owner and state of the id, with the actions that the state allows. */
export const FactsPanel = ({ id }: { id: IdOverview }) => (
  <Panel title={texts.title} actions={<IdActions id={id} />}>
    <EmojiId id={id.display_format} />
    <Facts facts={[...ownFacts(id), ...registrationFacts(id), ...holdFacts(id)]} />
  </Panel>
)

const ownFacts = (id: IdOverview) => [
  { name: texts.name, value: id.shortname },
  { name: texts.state, value: <State id={id} /> },
  ...(id.owner === undefined ? [] : [{ name: texts.owner, value: <Owner owner={id.owner} /> }]),
  { name: texts.score, value: id.rhythm_score },
  {
    name: texts.price,
    value: id.price_in_cents === null ? texts.noPrice : <Money cents={id.price_in_cents} />,
  },
]

const State = ({ id: { state, registration } }: { id: IdOverview }) => (
  <span className="inline-flex flex-wrap gap-2">
    <Badge tone={tones[state] ?? 'plain'}>{pageTexts.states[state]}</Badge>
    {registration?.minted ? <Badge tone="main">{pageTexts.minted}</Badge> : null}
    {registration?.suspended_at ? <SuspendedBadge /> : null}
    {registration?.frozen_at ? <Badge tone="wrong">{pageTexts.frozen}</Badge> : null}
  </span>
)

function Owner({ owner }: { owner: IdOverview['owner'] }) {
  if (!owner) return texts.noOwner
  const { user, organization, pubkey } = owner
  if (organization)
    return <OrganizationLink id={organization.id}>{organization.name}</OrganizationLink>
  if (!user) return <Mono>{pubkey ?? texts.keyOnly}</Mono>
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <PersonLink id={user.id} email={user.email} />
      {user.deactivated_at ? (
        <Badge tone="wrong">{adminTexts.people.states.deactivated}</Badge>
      ) : null}
    </span>
  )
}

function registrationFacts({ registration }: IdOverview) {
  if (!registration) return []
  const { created_at, bought_at, order_id } = registration
  return [
    { name: texts.since, value: <When at={created_at} isExact /> },
    bought_at
      ? { name: texts.bought, value: <When at={bought_at} isExact /> }
      : { name: texts.origin, value: texts.granted },
    ...(order_id
      ? [{ name: texts.order, value: <OrderLink id={order_id}>{order_id.slice(-8)}</OrderLink> }]
      : []),
    ...momentFact(texts.blocked, registration.blocked_until),
    ...momentFact(texts.signed, registration.signed_until),
    ...momentFact(texts.frozen, registration.frozen_at),
    ...momentFact(texts.suspended, registration.suspended_at),
    ...(registration.suspension_reason
      ? [{ name: texts.suspensionReason, value: registration.suspension_reason }]
      : []),
  ]
}

const momentFact = (name: string, at: string | null) =>
  at ? [{ name, value: <When at={at} isExact /> }] : []

const partNames: Readonly<Record<string, string>> = pageTexts.parts

const namesOf = (keys: readonly string[]): string =>
  keys.map((key) => partNames[key] ?? key).join(', ')

function holdFacts({ hold, reservation, listed, locked_keys }: IdOverview) {
  const reserved = reservation?.lootbox_id ? texts.inBox : texts.cooling
  return [
    ...(locked_keys.length > 0 ? [{ name: texts.locked, value: namesOf(locked_keys) }] : []),
    ...momentFact(texts.hold, hold?.expires_at ?? null),
    ...(listed
      ? [{ name: texts.reserved, value: texts.onList(listed.pattern, listed.reason) }]
      : []),
    ...(reservation
      ? [
          {
            name: texts.reserved,
            value: reservation.until ? (
              <>
                {reserved} {texts.until} <When at={reservation.until} isExact />
              </>
            ) : (
              reserved
            ),
          },
        ]
      : []),
  ]
}
