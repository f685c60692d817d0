import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery, isAdmin } from '../../../api/account.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { buttonLook } from '../../../design/button.tsx'
import { Card } from '../../../design/feedback.tsx'
import { optionsOf } from '../../../design/field.tsx'
import { FilterSelect, Filters } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { texts as accountTexts } from '../texts.ts'
import { ownColumns } from './own-columns.tsx'
import { lootboxesForSaleQuery, ownLootboxPageQuery, ownStatuses } from './queries.ts'
import { texts } from './texts.ts'

const options = optionsOf(ownStatuses, accountTexts.boxes.statuses)

export function LootboxesPage() {
  const { page, filters, field } = useList({ status: ownStatuses })
  const { data: account } = useQuery(accountQuery)
  const owner_id = account?.user.id ?? ''
  const answer = useQuery({
    ...ownLootboxPageQuery({ owner_id, page, status: filters.status }),
    enabled: owner_id !== '',
  })
  const { data } = answer
  const hasNone = data?.paging.total === 0 && !filters.status
  return (
    <ListPage
      title={accountTexts.sections.lootboxes}
      above={account && !isAdmin(account) ? <ShopHint /> : null}
      filters={
        <Filters label={texts.filters}>
          <FilterSelect
            label={texts.status}
            all={texts.everyStatus}
            options={options}
            {...field('status')}
          />
        </Filters>
      }
      answer={answer}
      csv={{
        path: '/lootboxes/export',
        name: 'lootboxes',
        filters: { owner_id, ...omitEmpty(filters) },
      }}
      texts={texts}
      columns={ownColumns}
      keyOf={({ id }) => id}
      empty={filters.status ? <p className="text-soft">{texts.notFound}</p> : <NoBoxes />}
      hasNone={hasNone}
    />
  )
}

const NoBoxes = () => (
  <>
    <p className="text-soft">{texts.none}</p>
    <Link to="/" className={buttonLook('second')}>
      {texts.find}
    </Link>
  </>
)

/** Shows nothing if no boxes are for sale. */
function ShopHint() {
  const { data } = useQuery(lootboxesForSaleQuery(0))
  const count = data?.paging.total ?? 0
  if (count === 0) return null
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4">
      <p className="font-medium">{texts.forSale.hint(count)}</p>
      <Link to="/account/lootboxes/for-sale" className={buttonLook('second')}>
        {texts.forSale.open}
      </Link>
    </Card>
  )
}
