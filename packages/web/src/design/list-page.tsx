import type { ReactNode } from 'react'
import { PagedTable, type PagedTableProps } from './paged-table.tsx'
import { Section } from './section.tsx'

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
