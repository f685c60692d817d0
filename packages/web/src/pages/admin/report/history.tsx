import { Link } from '@tanstack/react-router'
import { Badge } from '../../../design/badge.tsx'
import { When } from '../../../design/date.tsx'
import { Facts } from '../parts/facts.tsx'
import { PersonLink } from '../parts/links.tsx'
import { Panel } from '../parts/panel.tsx'
import type { ReportFacts } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.history
type Person = ReportFacts['owner_then']

/** The current state of the reported id, and its history. */
export const History = ({ report }: { report: ReportFacts }) => (
  <Panel title={texts.title}>
    <Facts
      facts={[
        { name: texts.owner, value: <Owner id={report.reported_id} /> },
        {
          name: texts.since,
          value: report.reported_id.since ? <When at={report.reported_id.since} isExact /> : '—',
        },
        { name: texts.state, value: <State id={report.reported_id} /> },
        { name: texts.transfers, value: <Transfers moves={report.transfers} /> },
        { name: texts.records, value: <RecordChanges changes={report.record_changes} /> },
      ]}
    />
  </Panel>
)

type IdProps = { id: ReportFacts['reported_id'] }

const Owner = ({ id: { is_registered, owner, organization } }: IdProps) => {
  if (!is_registered) return texts.released
  if (organization) return organization.name
  if (!owner) return texts.noAccount
  return (
    <span className="flex flex-wrap gap-x-4">
      <PersonLink id={owner.id} email={owner.email} />
      <Link
        to="/admin/audit"
        search={{ person: owner.id }}
        className="text-main underline underline-offset-4"
      >
        {texts.audit}
      </Link>
    </span>
  )
}

const State = ({ id: { is_registered, suspended, frozen, minted } }: IdProps) => (
  <span className="flex flex-wrap gap-2">
    {is_registered ? null : <Badge>{texts.released}</Badge>}
    {is_registered && !frozen && !suspended ? <Badge tone="good">{texts.active}</Badge> : null}
    {suspended ? <Badge tone="wrong">{texts.suspended}</Badge> : null}
    {frozen ? <Badge tone="main">{texts.frozen}</Badge> : null}
    {minted ? <Badge>{texts.minted}</Badge> : null}
  </span>
)

const Transfers = ({ moves }: { moves: ReportFacts['transfers'] }) =>
  moves.length === 0 ? (
    texts.noTransfers
  ) : (
    <ul className="grid gap-1">
      {moves.map(({ at, from, to }) => (
        <li key={at}>
          <When at={at} isExact />: <PersonOf user={from} /> → <PersonOf user={to} />
        </li>
      ))}
    </ul>
  )

const PersonOf = ({ user }: { user: Person }) =>
  user ? <PersonLink id={user.id} email={user.email} /> : texts.deleted

const RecordChanges = ({ changes }: { changes: ReportFacts['record_changes'] }) =>
  changes.length === 0 ? (
    texts.noRecords
  ) : (
    <ul className="grid gap-1">
      {changes.map(({ at, version }) => (
        <li key={version}>
          {texts.version(version)}: <When at={at} isExact />
        </li>
      ))}
    </ul>
  )
