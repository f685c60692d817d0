import type { ReactNode } from 'react'
import type { ListExport } from '../api/exports.ts'
import { type Column, DataTable } from './data-table.tsx'
import { ExportButton } from './export-button.tsx'
import { Pager, type Paging, useLastPageRedirect } from './pager.tsx'

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
