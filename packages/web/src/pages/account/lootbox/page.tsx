import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { Lootbox } from '../../../api/lootboxes.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { artOf } from '../../../design/emoji-id.tsx'
import { Card } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { WholePrice } from '../../../design/whole-price.tsx'
import { nameOfBox } from '../lootboxes/own-columns.tsx'
import { texts as accountTexts } from '../texts.ts'
import { BuyButton, OpenButton } from './actions.tsx'
import { Contents } from './contents.tsx'
import { Odds } from './odds.tsx'
import { Proof } from './proof.tsx'
import { lootboxQuery } from './queries.ts'
import { texts } from './texts.ts'

export function LootboxPage() {
  const { id } = useParams({ from: '/account/lootboxes/$id' })
  const { data: box, error } = useQuery(lootboxQuery(id))
  const isSold = box?.status === 'Available'
  return (
    <div className="grid gap-3">
      <Link
        to={isSold ? '/account/lootboxes/for-sale' : '/account/lootboxes'}
        className={`${buttonLook('quiet')} -ml-3 justify-self-start`}
      >
        {isSold ? texts.toShop : texts.all}
      </Link>
      {box ? (
        <Box key={id} box={box} />
      ) : (
        <Section title={texts.title}>
          <DetailFallback error={error} text={texts.missing} />
        </Section>
      )}
    </div>
  )
}

function Box({ box }: { box: Lootbox }) {
  const [isNew, setNew] = useState(false)
  const { status, lootbox_type: type } = box
  return (
    <Section title={nameOfBox(box)} text={type?.description}>
      {status === 'Used' ? null : <Odds type={type} />}
      {status === 'Owned' || status === 'Available' ? (
        <Card className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
          <ClosedBox />
          <p className="mr-auto grid justify-items-start gap-1">
            <Badge tone="main">{accountTexts.boxes.statuses[status]}</Badge>
            <span className="text-lg font-semibold">
              {type ? accountTexts.boxes.ids(type.config.size) : accountTexts.boxes.secret}
            </span>
            {status === 'Available' && type?.price_in_cents ? (
              <span className="text-xl font-bold">
                <span className="sr-only">{texts.price} </span>
                <WholePrice cents={type.price_in_cents} />
              </span>
            ) : null}
          </p>
          {status === 'Owned' ? (
            <OpenButton box={box} onOpened={() => setNew(true)} />
          ) : (
            <BuyButton box={box} />
          )}
        </Card>
      ) : null}
      {status === 'Used' ? <Contents box={box} isNew={isNew} /> : null}
      {status === 'Used' ? <Odds type={type} /> : null}
      <Proof box={box} />
    </Section>
  )
}

const ClosedBox = () => (
  <img src={artOf('🎁')} alt="" className="size-16 shrink-0" draggable={false} />
)
