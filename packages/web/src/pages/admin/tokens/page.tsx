import { useQuery } from '@tanstack/react-query'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { texts as adminTexts } from '../texts.ts'
import { tokenColumns } from './columns.tsx'
import { tokenPageQuery, tokenStates } from './queries.ts'
import { texts } from './texts.ts'

const stateOptions = tokenStates.map((value) => ({ value, text: texts.states[value] }))

export function TokensPage() {
  const { page, filters, change } = useList({ state: tokenStates })
  const answer = useQuery(tokenPageQuery({ page, ...filters }))
  return (
    <Section title={adminTexts.sections.tokens} text={texts.text}>
      <Filters label={texts.filters}>
        <FilterSelect
          label={texts.state}
          all={texts.everyState}
          options={stateOptions}
          value={filters.state}
          onChange={(state) => change({ state })}
        />
      </Filters>
      <PagedTable
        answer={answer}
        caption={texts.caption}
        columns={tokenColumns}
        keyOf={({ canonical_format }) => canonical_format}
        empty={texts.none}
        pages={texts.pages}
      />
    </Section>
  )
}
