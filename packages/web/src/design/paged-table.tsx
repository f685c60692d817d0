import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { Pager, type Paging, usePageBeyond } from './pager.tsx'

type Props<Row> = {
  /** What was asked for a page of the list. */
  answer: {
    data: { data: readonly Row[]; paging: Paging } | undefined
    error: unknown
    isPlaceholderData: boolean
  }
  caption: string
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  empty: ReactNode
  /** What the way to the other pages is called. */
  pages: string
  /** Where nothing can be there, nothing is said of pages. */
  hasPages?: boolean
}

/** A list that the service hands out page by page. */
export function PagedTable<Row>({ answer, pages, hasPages = true, ...table }: Props<Row>) {
  const { data, error, isPlaceholderData: isOld } = answer
  const paging = data?.paging
  const isBeyond = usePageBeyond(hasPages && !isOld ? paging : undefined)
  return (
    <>
      <DataTable {...table} rows={isBeyond ? undefined : data?.data} error={error} isOld={isOld} />
      {hasPages ? <Pager paging={isBeyond ? undefined : paging} label={pages} /> : null}
    </>
  )
}
