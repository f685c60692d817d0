import { Link } from '@tanstack/react-router'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { texts as adminTexts } from '../texts.ts'
import type { ReportView } from './queries.ts'
import { texts } from './texts.ts'

const { categories } = adminTexts.reports

/** A list shows the beginning; the page of a report has the whole text. */
const longestText = 120
const shorten = (text: string): string =>
  text.length > longestText ? `${text.slice(0, longestText)}…` : text

const idColumn: Column<ReportView> = {
  title: texts.columns.id,
  show: ({ emoji_id, open_reports }) => (
    <span className="grid justify-items-start gap-1">
      <EmojiId id={emoji_id} size="small" />
      {open_reports > 1 ? (
        <span className="text-sm text-soft">{texts.openReports(open_reports)}</span>
      ) : null}
    </span>
  ),
}

/** The columns of a report beside the id that it is about. */
export const reportColumns: Column<ReportView>[] = [
  { title: texts.columns.category, show: ({ category }) => categories[category] },
  {
    title: texts.columns.text,
    isLong: true,
    show: ({ text, times, folded_texts }) => (
      <>
        {shorten(text)}
        {times > 1 ? <span className="text-sm text-soft"> ({texts.times(times)})</span> : null}
        {folded_texts.length > 0 ? (
          <details className="mt-1 text-sm">
            <summary className="min-h-6 w-fit cursor-pointer text-soft">
              {texts.otherTexts(folded_texts.length)}
            </summary>
            <FoldedTexts texts={folded_texts} />
          </details>
        ) : null}
      </>
    ),
  },
  { title: texts.columns.state, show: (report) => <ReportState {...report} /> },
  { title: texts.columns.when, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ id, category }) => (
      <Link to="/admin/reports/$id" params={{ id }} className={buttonLook('second')}>
        {texts.look}
        <span className="sr-only">: {categories[category]}</span>
      </Link>
    ),
  },
]

export const queueColumns: Column<ReportView>[] = [idColumn, ...reportColumns]

/** Open, or the decision. */
export const ReportState = ({ decision }: Pick<ReportView, 'decision'>) =>
  decision === null ? (
    <Badge tone="main">{adminTexts.reports.open}</Badge>
  ) : (
    <Badge tone={decision === 'suspended' ? 'wrong' : 'plain'}>
      {adminTexts.reports.decisions[decision]}
    </Badge>
  )

/** The texts of reports that were folded into one, newest first. */
export const FoldedTexts = ({ texts }: { texts: ReportView['folded_texts'] }) => (
  <ul className="grid gap-2 text-left">
    {texts.toReversed().map(({ text, at }) => (
      <li key={`${at} ${text}`} className="wrap-anywhere whitespace-pre-line">
        {text}{' '}
        <span className="text-soft">
          (<When at={at} />)
        </span>
      </li>
    ))}
  </ul>
)
