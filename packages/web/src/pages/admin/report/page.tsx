import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { buttonLook } from '../../../design/button.tsx'
import { DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { Section } from '../../../design/section.tsx'
import { Facts } from '../parts/facts.tsx'
import { IdLink, PersonLink } from '../parts/links.tsx'
import { ListPanel, Panel } from '../parts/panel.tsx'
import { reportColumns } from '../reports/columns.tsx'
import { FoldedTexts } from '../reports/folded-texts.tsx'
import { ReportState } from '../reports/state.tsx'
import { texts as adminTexts } from '../texts.ts'
import { ReportDecision } from './decide.tsx'
import { History } from './history.tsx'
import { type ReportFacts, reportQuery } from './queries.ts'
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
