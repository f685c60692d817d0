import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { accountQuery, isAdmin } from '../../../api/account.ts'
import type { Lootbox } from '../../../api/shop.ts'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { Card } from '../../../design/feedback.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { WholePrice } from '../../../design/whole-price.tsx'
import { texts as accountTexts } from '../texts.ts'
import { BoxLink, BoxName } from './own-columns.tsx'
import { lootboxesForSaleQuery } from './queries.ts'
import { texts } from './texts.ts'

export function LootboxesForSalePage() {
  const { data: account } = useQuery(accountQuery)
  return (
    <div className="grid gap-3">
      <Link to="/account/lootboxes" className={`${buttonLook('quiet')} -ml-3 justify-self-start`}>
        {texts.forSale.back}
      </Link>
      <Section title={texts.forSale.title} text={texts.forSale.text}>
        {account && isAdmin(account) ? <Card>{texts.forSale.notForOperators}</Card> : null}
        {account && !isAdmin(account) ? <Offers /> : null}
      </Section>
    </div>
  )
}

function Offers() {
  const { page } = useList({})
  const answer = useQuery(lootboxesForSaleQuery(page))
  return (
    <PagedTable
      answer={answer}
      texts={{ ...texts.forSale, pages: texts.pages }}
      columns={columns}
      keyOf={({ id }) => id}
      empty={
        <>
          <p className="text-soft">{texts.forSale.none}</p>
          <Link to="/" className={buttonLook('second')}>
            {texts.find}
          </Link>
        </>
      }
    />
  )
}

const columns: Column<Lootbox>[] = [
  { title: texts.columns.box, show: (box) => <BoxName box={box} /> },
  {
    title: texts.columns.contents,
    show: ({ lootbox_type }) => accountTexts.boxes.ids(lootbox_type?.config.size ?? 0),
  },
  {
    title: texts.columns.price,
    isAtEnd: true,
    show: ({ lootbox_type }) => <WholePrice cents={lootbox_type?.price_in_cents ?? 0} />,
  },
  {
    title: texts.actions,
    isAtEnd: true,
    isAction: true,
    show: (box) => <BoxLink box={box} text={texts.look.sold} look="second" />,
  },
]
