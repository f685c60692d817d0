import { useQuery } from '@tanstack/react-query'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { ListPage } from '../../../design/list-page.tsx'
import { useList } from '../../../design/list-search.ts'
import { optionsOf } from '../../../design/select.tsx'
import { texts as adminTexts } from '../texts.ts'
import { tokenColumns } from './columns.tsx'
import { tokenPageQuery, tokenStates } from './queries.ts'
import { texts } from './texts.ts'

const stateOptions = optionsOf(tokenStates, texts.states)

export function TokensPage() {
  const { page, filters, field } = useList({ state: tokenStates })
  const answer = useQuery(tokenPageQuery({ page, ...filters }))
  return (
    <ListPage
      title={adminTexts.sections.tokens}
      filters={
        <Filters label={texts.filters}>
          <FilterSelect
            label={texts.state}
            all={texts.everyState}
            options={stateOptions}
            {...field('state')}
          />
        </Filters>
      }
      answer={answer}
      texts={texts}
      columns={tokenColumns}
      csv={{ path: '/admin/tokens/export', name: 'tokens', filters: omitEmpty(filters) }}
      keyOf={({ canonical_format }) => canonical_format}
      empty={texts.none}
    />
  )
}
