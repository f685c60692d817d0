import type { ReactNode } from 'react'
import { Card, ErrorOf } from './feedback.tsx'
import { Waiting } from './waiting.tsx'

export type Column<Row> = {
  title: string
  show: (row: Row) => ReactNode
  /** Aligns numbers and buttons to the end of the cell. */
  isAtEnd?: boolean
  /** A long token or address that may break anywhere. Words and money do not. */
  isLong?: boolean
  /** A column of actions; cards show it without a title. */
  isAction?: boolean
}

type Props<Row> = {
  /** The contents of the table, for screen readers only. */
  caption: string
  /** The first column names the row. */
  columns: readonly Column<Row>[]
  /** Undefined while loading. */
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  /** Shown instead of an empty table, with a next step. */
  empty: ReactNode
  error?: unknown
  /** The rows of the previous query while the next one loads. */
  isOld?: boolean
}

/** A table on wide screens, a list of cards on narrow ones. */
export function DataTable<Row>(props: Props<Row>) {
  const { rows, error, empty, isOld } = props
  if (error) return <ErrorOf thrown={error} />
  if (!rows) return <Waiting />
  if (rows.length === 0) {
    return (
      <div role="status">
        <Card className="grid justify-items-start gap-4">{empty}</Card>
      </div>
    )
  }
  return (
    <div
      aria-busy={isOld || undefined}
      className={`transition-opacity md:overflow-x-auto md:rounded-card md:border md:border-hair md:bg-card md:shadow-sm ${isOld ? 'opacity-60' : ''}`}
    >
      <Table {...props} rows={rows} />
    </div>
  )
}

/** `display: block` removes the table semantics, so the roles are explicit. */
const roles = {
  table: { role: 'table' },
  rowgroup: { role: 'rowgroup' },
  row: { role: 'row' },
  columnheader: { role: 'columnheader' },
  rowheader: { role: 'rowheader' },
  cell: { role: 'cell' },
}

function Table<Row>({ caption, columns, rows, keyOf }: Props<Row> & { rows: readonly Row[] }) {
  return (
    <table {...roles.table} className="block w-full text-left md:table">
      <caption className="sr-only">{caption}</caption>
      <thead {...roles.rowgroup} className="sr-only md:not-sr-only md:table-header-group">
        <tr {...roles.row} className="md:table-row">
          {columns.map(({ title, isAtEnd }) => (
            <th
              key={title}
              {...roles.columnheader}
              scope="col"
              className={`bg-tint px-4 py-3 text-sm font-semibold ${isAtEnd ? 'text-right' : ''}`}
            >
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody {...roles.rowgroup} className="grid gap-3 md:table-row-group">
        {rows.map((row) => (
          <tr key={keyOf(row)} {...roles.row} className={rowLook}>
            {columns.map((column, nth) => (
              <Cell key={column.title} column={column} row={row} isFirst={nth === 0} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const rowLook =
  'grid gap-2 rounded-card border border-hair bg-card p-4 shadow-sm md:table-row md:rounded-none md:border-0 md:p-0 md:shadow-none md:[&>*]:border-t md:[&>*]:border-hair'

type CellProps<Row> = { column: Column<Row>; row: Row; isFirst: boolean }

function Cell<Row>({ column, row, isFirst }: CellProps<Row>) {
  const { title, show, isAtEnd, isLong, isAction } = column
  if (isFirst) {
    return (
      <th {...roles.rowheader} scope="row" className="min-w-0 font-normal md:px-4 md:py-3">
        {show(row)}
      </th>
    )
  }
  return (
    <td
      {...roles.cell}
      className={`flex min-w-0 items-baseline justify-between gap-4 md:table-cell md:px-4 md:py-3 ${isAtEnd ? 'md:text-right' : ''}`}
    >
      {isAction ? null : (
        <span aria-hidden="true" className="shrink-0 text-sm text-soft md:hidden">
          {title}
        </span>
      )}
      <span
        className={`min-w-0 text-right wrap-anywhere md:[text-align:inherit] ${isLong ? 'md:block md:min-w-32' : 'md:wrap-normal'}`}
      >
        {show(row)}
      </span>
    </td>
  )
}
