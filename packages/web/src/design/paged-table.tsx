import type { ReactNode } from 'react'
import { type Column, DataTable } from './data-table.tsx'
import { Pager, type Paging, usePageBeyond } from './pager.tsx'

export type PagedTableProps<Row> = {
  /** What was asked for a page of the list. */
  answer: {
    data: { data: readonly Row[]; paging: Paging } | undefined
    error: unknown
    isPlaceholderData: boolean
  }
  /** What the list is called, and the way to its other pages. */
  texts: { caption: string; pages: string }
  /** The fields to look for something in it. */
  filters?: ReactNode
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  empty: ReactNode
  /** Where nothing can be there, there is nothing to look for, and nothing is said of pages. */
  hasNone?: boolean
}

/** A list that the service hands out page by page. */
export function PagedTable<Row>(props: PagedTableProps<Row>) {
  const { answer, texts, filters, hasNone = false, ...table } = props
  const { data, error, isPlaceholderData: isOld } = answer
  const paging = data?.paging
  const isBeyond = usePageBeyond(hasNone || isOld ? undefined : paging)
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
      {hasNone ? null : <Pager paging={isBeyond ? undefined : paging} label={texts.pages} />}
    </>
  )
}
