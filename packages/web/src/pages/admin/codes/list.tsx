import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { FilterSelect, Filters, SearchField } from '../../../design/filters.tsx'
import { ListPage } from '../../../design/list-page.tsx'
import { useList } from '../../../design/list-search.ts'
import { optionsOf } from '../../../design/select.tsx'
import { CodeLink } from '../parts/links.tsx'
import { texts as adminTexts } from '../texts.ts'
import { CodeAmount, CodeState } from './code-state.tsx'
import { type Code, codePageQuery, codeTypes } from './queries.ts'
import { texts } from './texts.ts'

const kindOptions = optionsOf(codeTypes, texts.kinds)

export function CodeList() {
  const { page, filters, field } = useList({ q: 'text', kind: codeTypes })
  const answer = useQuery(codePageQuery({ page, q: filters.q, code_type: filters.kind }))
  return (
    <ListPage
      title={adminTexts.sections.codes}
      actions={
        <Link to="/admin/codes" search={{ code: 'new' }} className={buttonLook()}>
          {texts.new}
        </Link>
      }
      filters={
        <Filters label={texts.filters}>
          <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          <FilterSelect
            label={texts.kind}
            all={texts.everyKind}
            options={kindOptions}
            {...field('kind')}
          />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={columns}
      csv={{
        path: '/codes/export',
        name: 'codes',
        filters: omitEmpty({ q: filters.q, code_type: filters.kind }),
      }}
      keyOf={({ id }) => id}
      empty={texts.notFound}
    />
  )
}

const columns: Column<Code>[] = [
  {
    title: texts.columns.name,
    show: ({ id, name, redemption_code }) => (
      <span className="grid gap-0.5">
        <CodeLink id={id}>
          <span className="font-semibold">{name}</span>
        </CodeLink>
        <span className="text-sm wrap-anywhere text-soft">
          {redemption_code ?? texts.bySignature}
        </span>
      </span>
    ),
  },
  { title: texts.columns.kind, show: ({ code_type }) => texts.kinds[code_type] },
  { title: texts.columns.off, isAtEnd: true, show: (code) => <CodeAmount {...code} /> },
  {
    title: texts.columns.uses,
    isAtEnd: true,
    show: ({ total_uses, max_uses }) => (
      <span className="tabular-nums">{texts.uses(total_uses, max_uses)}</span>
    ),
  },
  { title: texts.columns.state, show: (code) => <CodeState {...code} /> },
]
