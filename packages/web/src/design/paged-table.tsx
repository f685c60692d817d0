import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { Pager, type Paging } from './pager.tsx'

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
export const PagedTable = <Row,>({ answer, pages, hasPages = true, ...table }: Props<Row>) => (
  <>
    <DataTable
      {...table}
      rows={answer.data?.data}
      error={answer.error}
      isOld={answer.isPlaceholderData}
    />
    {hasPages ? <Pager paging={answer.data?.paging} label={pages} /> : null}
  </>
)
