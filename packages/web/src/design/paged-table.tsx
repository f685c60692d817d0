import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { type ListExport, loadExport } from '../api/exports.ts'
import { announce } from './announcements.ts'
import { Button, buttonLook } from './button.tsx'
import { type Column, DataTable } from './data-table.tsx'
import { download } from './download.ts'
import { ErrorOf } from './feedback.tsx'
import { focusContent } from './focus-content.ts'
import type { ListSearch } from './list-search.ts'
import { Section } from './section.tsx'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'

type Props<Row> = PagedTableProps<Row> & {
  title: string
  texts: { text: string }
  /** Buttons for the whole page. */
  actions?: ReactNode
  /** Content between the title and the list. */
  above?: ReactNode
  /** The dialogs of the page. */
  children?: ReactNode
}

/** A page that consists of one list. */
export const ListPage = <Row,>({ title, actions, above, children, ...table }: Props<Row>) => (
  <Section title={title} text={table.texts.text} actions={actions}>
    {above}
    <PagedTable {...table} />
    {children}
  </Section>
)

export type PagedTableProps<Row> = {
  /** The query of one page of the list. */
  answer: {
    data: { data: readonly Row[]; paging: Paging } | undefined
    error: unknown
    isPlaceholderData: boolean
  }
  /** The caption of the list and the label of its pager. */
  texts: { caption: string; pages: string }
  /** The filter fields. */
  filters?: ReactNode
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  empty: ReactNode
  /** The CSV export of the list, with the same filters. */
  csv?: ListExport
  /** The list can have no rows at all: hides filters and pager. */
  hasNone?: boolean
}

/** A paginated list. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { answer, texts, filters, csv, hasNone = false, ...table } = props
  const { data, error, isPlaceholderData: isOld } = answer
  const paging = data?.paging
  const isBeyond = useLastPageRedirect(hasNone || isOld ? undefined : paging)
  return (
    <>
      {hasNone ? null : filters}
      <DataTable
        {...table}
        caption={texts.caption}
        rows={isBeyond ? undefined : data?.data}
        error={error}
        isOld={isOld}
      />
      {csv && (paging?.total ?? 0) > 0 ? <ExportButton list={csv} /> : null}
      {hasNone ? null : <Pager paging={isBeyond ? undefined : paging} label={texts.pages} />}
    </>
  )
}

/** The paging members of every list response; pages count from 0. */
type Paging = { page: number; limit: number; total: number }

const withPage = (page: number) => (before: ListSearch) =>
  ({ ...before, page: page > 1 ? page : undefined }) as never

/** Redirects to the last page if the URL names a page beyond it. */
function useLastPageRedirect(paging: Paging | undefined): boolean {
  const navigate = useNavigate()
  const last = paging ? Math.max(Math.ceil(paging.total / paging.limit), 1) : undefined
  const isBeyond = paging !== undefined && last !== undefined && paging.page >= last
  useEffect(() => {
    if (isBeyond) void navigate({ to: '.', search: withPage(last), replace: true })
  }, [isBeyond, last, navigate])
  return isBeyond
}

/** The position in a list and links to the neighboring pages. */
export function Pager({ paging, label }: { paging: Paging | undefined; label: string }) {
  const { page, limit, total } = paging ?? { page: 0, limit: 1, total: 0 }
  const pages = Math.ceil(total / limit)
  const first = page * limit + 1
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-between gap-3">
      {/* Always rendered, so that screen readers announce a change. An empty list announces itself. */}
      <p role="status" className={total === 0 ? 'sr-only' : 'text-soft tabular-nums'}>
        {total === 0 ? '' : texts.list.range(first, Math.min(first + limit - 1, total), total)}
      </p>
      {pages > 1 || page > 0 ? (
        <div className="flex items-center gap-2">
          <Step to={page} exists={page > 0} text={texts.list.previous} rel="prev" />
          <span className="px-1 text-sm text-soft tabular-nums">
            {texts.list.page(page + 1, pages)}
          </span>
          <Step to={page + 2} exists={page + 1 < pages} text={texts.list.next} rel="next" />
        </div>
      ) : null}
    </nav>
  )
}

type StepProps = { to: number; exists: boolean; text: string; rel: 'prev' | 'next' }

const Step = ({ to, exists, text, rel }: StepProps) =>
  exists ? (
    <Link
      to="."
      search={withPage(to)}
      rel={rel}
      onClick={focusContent}
      className={buttonLook('second')}
    >
      {text}
    </Link>
  ) : null

const csvTexts = texts.list.csv

/** Downloads the whole list, with its filters, as a CSV file. */
export function ExportButton({ list }: { list: ListExport }) {
  const running = useAction({
    mutationFn: () => loadExport(list),
    onSuccess: ({ text, isCut }) => {
      download(text, `${list.name}.csv`, 'text/csv')
      announce(isCut ? csvTexts.cut : csvTexts.done)
    },
  })
  return (
    <div className="grid justify-items-start gap-3">
      <Button look="second" isBusy={running.isPending} onClick={() => running.mutate(undefined)}>
        {csvTexts.action}
      </Button>
      <ErrorOf thrown={running.error} />
    </div>
  )
}
