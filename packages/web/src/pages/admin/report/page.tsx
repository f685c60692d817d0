import { textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { optionsOf, Select, TextArea } from '../../../design/field.tsx'
import { DetailFallback, Section } from '../../../design/section.tsx'
import { AskButton } from '../parts/ask-button.tsx'
import { Facts } from '../parts/facts.tsx'
import { IdLink, PersonLink } from '../parts/links.tsx'
import { ListPanel, Panel } from '../parts/panel.tsx'
import { FoldedTexts, ReportState, reportColumns } from '../reports/columns.tsx'
import { texts as adminTexts } from '../texts.ts'
import { decideReport, type ReportFacts, reportQuery, type Verdict } from './queries.ts'
import { texts } from './texts.ts'

/** One report with the history of its id, and the decision. */
export function ReportPage() {
  const { id = '' } = useParams({ strict: false })
  const { data, error } = useQuery(reportQuery(id))
  if (!data) {
    return (
      <Section title={texts.plainTitle}>
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      </Section>
    )
  }
  return (
    <Section title={texts.title(adminTexts.reports.categories[data.category])}>
      <ReportDecision report={data} />
      <Panel title={texts.summary}>
        <Facts facts={factsOf(data)} />
      </Panel>
      <History report={data} />
      <ListPanel title={texts.others.title}>
        <DataTable
          caption={texts.others.caption}
          columns={reportColumns}
          rows={data.other_reports}
          keyOf={(report) => report.id}
          empty={texts.others.none}
        />
      </ListPanel>
    </Section>
  )
}

function factsOf(report: ReportFacts) {
  const { facts } = texts
  const moment = (name: string, at: string | null) =>
    at ? [{ name, value: <When at={at} isExact /> }] : []
  const person = (name: string, user: ReportFacts['owner_then']) =>
    user ? [{ name, value: <PersonLink id={user.id} email={user.email} /> }] : []
  const text = (name: string, value: string | null) => (value ? [{ name, value }] : [])
  return [
    { name: facts.id, value: <ReportedId report={report} /> },
    { name: facts.state, value: <ReportState {...report} /> },
    { name: facts.text, value: <p className="whitespace-pre-line">{report.text}</p> },
    ...(report.decision === null
      ? [{ name: facts.reporter, value: report.email ?? texts.noReporter }]
      : []),
    { name: facts.times, value: texts.times(report.times) },
    ...(report.folded_texts.length > 0
      ? [{ name: facts.otherTexts, value: <FoldedTexts texts={report.folded_texts} /> }]
      : []),
    ...moment(facts.reported, report.created_at),
    ...(report.times > 1 ? moment(facts.last, report.last_at) : []),
    ...person(facts.ownerThen, report.owner_then),
    ...text(facts.note, report.note),
    ...text(facts.reason, report.reason),
    ...moment(facts.decided, report.decided_at),
    ...person(facts.decidedBy, report.decided_by_user),
  ]
}

const ReportedId = ({ report: { emoji_id, reported_id } }: { report: ReportFacts }) => (
  <span className="flex flex-wrap items-center gap-4">
    <IdLink id={reported_id.display_format ?? emoji_id} />
    <a href={`/${encodeURIComponent(emoji_id)}`} className="text-main underline underline-offset-4">
      {texts.page}
    </a>
  </span>
)

const Back = () => (
  <Link to="/admin/reports" className={buttonLook()}>
    {texts.back}
  </Link>
)

const decideTexts = texts.decide
const decisions: readonly Verdict['decision'][] = ['no_action', 'suspended', 'other']
const options = optionsOf(decisions, adminTexts.reports.decisions)

/** Records the decision about one report, or about all open ones of the id. */
function ReportDecision({ report }: { report: ReportFacts }) {
  const [decision, setDecision] = useState<Verdict['decision']>('no_action')
  const [note, setNote] = useState('')
  const [isForAll, setForAll] = useState(false)
  if (report.decision !== null) return null
  const { is_registered, suspended } = report.reported_id
  const isSuspending = decision === 'suspended' && is_registered && !suspended
  const sends = {
    decision,
    every_report: isForAll,
    suspend: isSuspending,
    ...(note.trim() === '' ? {} : { note: note.trim() }),
  }
  return (
    <div>
      <AskButton
        label={decideTexts.label}
        title={decideTexts.title}
        text={decideTexts.text}
        action={isSuspending ? decideTexts.suspendAction : decideTexts.action}
        done={isSuspending ? decideTexts.suspendDone : decideTexts.done}
        look="main"
        asksReason
        onOpen={() => {
          setDecision('no_action')
          setNote('')
          setForAll(report.open_reports > 1)
        }}
        sends={sends}
        run={(reason, key) => decideReport(report.id, key, { ...sends, reason })}
      >
        <Select
          label={decideTexts.decision}
          options={options}
          value={decision}
          onChange={({ currentTarget: { value } }) =>
            setDecision(decisions.find((one) => one === value) ?? 'no_action')
          }
        />
        {isSuspending ? <p className="text-soft">{decideTexts.suspends}</p> : null}
        <TextArea
          label={decideTexts.note}
          hint={decideTexts.noteHint}
          required={decision === 'other'}
          {...textLengths.decisionNote}
          value={note}
          onChange={({ currentTarget: { value } }) => setNote(value)}
        />
        {report.open_reports > 1 ? (
          <Checkbox
            label={decideTexts.every(report.open_reports)}
            checked={isForAll}
            onChange={({ currentTarget: { checked } }) => setForAll(checked)}
          />
        ) : null}
      </AskButton>
    </div>
  )
}

const historyTexts = texts.history
type Person = ReportFacts['owner_then']

/** The current state of the reported id, and its history. */
const History = ({ report }: { report: ReportFacts }) => (
  <Panel title={historyTexts.title}>
    <Facts
      facts={[
        { name: historyTexts.owner, value: <Owner id={report.reported_id} /> },
        {
          name: historyTexts.since,
          value: report.reported_id.since ? <When at={report.reported_id.since} isExact /> : '—',
        },
        { name: historyTexts.state, value: <State id={report.reported_id} /> },
        { name: historyTexts.transfers, value: <Transfers moves={report.transfers} /> },
        { name: historyTexts.records, value: <RecordChanges changes={report.record_changes} /> },
      ]}
    />
  </Panel>
)

type IdProps = { id: ReportFacts['reported_id'] }

const Owner = ({ id: { is_registered, owner, organization } }: IdProps) => {
  if (!is_registered) return historyTexts.released
  if (organization) return organization.name
  if (!owner) return historyTexts.noAccount
  return (
    <span className="flex flex-wrap gap-x-4">
      <PersonLink id={owner.id} email={owner.email} />
      <Link
        to="/admin/audit"
        search={{ person: owner.id }}
        className="text-main underline underline-offset-4"
      >
        {historyTexts.audit}
      </Link>
    </span>
  )
}

const State = ({ id: { is_registered, suspended, frozen, minted } }: IdProps) => (
  <span className="flex flex-wrap gap-2">
    {is_registered ? null : <Badge>{historyTexts.released}</Badge>}
    {is_registered && !frozen && !suspended ? (
      <Badge tone="good">{historyTexts.active}</Badge>
    ) : null}
    {suspended ? <Badge tone="wrong">{historyTexts.suspended}</Badge> : null}
    {frozen ? <Badge tone="main">{historyTexts.frozen}</Badge> : null}
    {minted ? <Badge>{historyTexts.minted}</Badge> : null}
  </span>
)

const Transfers = ({ moves }: { moves: ReportFacts['transfers'] }) =>
  moves.length === 0 ? (
    historyTexts.noTransfers
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
  user ? <PersonLink id={user.id} email={user.email} /> : historyTexts.deleted

const RecordChanges = ({ changes }: { changes: ReportFacts['record_changes'] }) =>
  changes.length === 0 ? (
    historyTexts.noRecords
  ) : (
    <ul className="grid gap-1">
      {changes.map(({ at, version }) => (
        <li key={version}>
          {historyTexts.version(version)}: <When at={at} isExact />
        </li>
      ))}
    </ul>
  )
