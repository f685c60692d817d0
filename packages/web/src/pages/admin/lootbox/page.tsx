import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Lootbox } from '../../../api/admin-lootboxes.ts'
import { buttonLook } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { DetailFallback } from '../../../design/detail-fallback.tsx'
import { EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { Card } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { Section } from '../../../design/section.tsx'
import { Odds } from '../lootbox-types/odds.tsx'
import { BoxStatus, ownerOf } from '../lootboxes/box-parts.tsx'
import { texts as adminTexts } from '../texts.ts'
import { BoxActions } from './actions.tsx'
import { lootboxQuery } from './queries.ts'
import { texts } from './texts.ts'

const { noOwner, byHand, box: nameOfBox } = adminTexts.boxes

export function LootboxPage() {
  const { id = '' } = useParams({ strict: false })
  const { data: box, error } = useQuery(lootboxQuery(id))
  return (
    <Section title={error ? texts.title : nameOfBox(id)}>
      {box ? (
        <Box box={box} />
      ) : (
        <DetailFallback error={error} text={texts.missing} back={<Back />} />
      )}
    </Section>
  )
}

const Back = () => (
  <Link to="/admin/lootboxes" className={buttonLook()}>
    {texts.back}
  </Link>
)

const Box = ({ box }: { box: Lootbox }) => (
  <>
    <Card className="grid gap-4">
      <h2>{texts.actions}</h2>
      <BoxActions box={box} />
    </Card>
    <div className="grid items-start gap-5 xl:grid-cols-2">
      <Contents box={box} />
      <Card className="grid gap-4">
        <h2>{texts.facts}</h2>
        <Facts box={box} />
      </Card>
      {box.lootbox_type ? (
        <Card className="grid gap-4">
          <h2>{texts.odds}</h2>
          <Odds name={box.lootbox_type.name} config={box.lootbox_type.config} />
        </Card>
      ) : null}
    </div>
  </>
)

const Contents = ({ box: { yats, scores, prices } }: { box: Lootbox }) => (
  <Card className="grid gap-4">
    <h2>{texts.contents}</h2>
    <ul className="grid gap-3">
      {yats.map((yat, nth) => (
        <li key={yat} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <span className="grid gap-1">
            <EmojiId id={yat} />
            <span aria-hidden="true" className="text-sm text-soft">
              {spokenNames(yat)}
            </span>
          </span>
          <span className="text-right text-sm">
            {texts.score} {scores[nth]} · <Money cents={prices[nth] ?? 0} />
          </span>
        </li>
      ))}
    </ul>
  </Card>
)

function Facts({ box }: { box: Lootbox }) {
  const { status, lootbox_type, owner_id, owner_email, created_at, seed_hash } = box
  const owner = ownerOf(box)
  return (
    <dl className="grid gap-3">
      <Fact name={texts.status}>
        <BoxStatus status={status} />
      </Fact>
      <Fact name={texts.type}>{lootbox_type?.name ?? byHand}</Fact>
      <Fact name={texts.owner}>
        {owner && owner_id ? (
          <Link to="/admin/users/$id" params={{ id: owner_id }} className="text-main underline">
            {owner}
          </Link>
        ) : (
          (owner ?? noOwner)
        )}
        {owner_email ? <span className="block text-sm text-soft">{texts.kept}</span> : null}
      </Fact>
      <Fact name={texts.worth}>
        <Money cents={box.total_value} />
      </Fact>
      <Fact name={texts.average}>{Math.round(box.average_rhythm_score * 10) / 10}</Fact>
      <Fact name={texts.made}>
        <When at={created_at} isExact />
      </Fact>
      <Fact name={texts.seedHash}>
        <code className="text-sm wrap-anywhere">{seed_hash}</code>
        <span className="block text-sm text-soft">{texts.seedText}</span>
      </Fact>
    </dl>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="grid gap-0.5">
    <dt className="text-sm text-soft">{name}</dt>
    <dd className="wrap-anywhere">{children}</dd>
  </div>
)
