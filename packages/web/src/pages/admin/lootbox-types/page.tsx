import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type LootboxType, lootboxTypesQuery } from '../../../api/admin.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import { When } from '../../../design/date.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { ExportButton } from '../../../design/paged-table.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { DrawDialog } from '../lootboxes/draw-dialog.tsx'
import { Odds } from './odds.tsx'
import { texts } from './texts.ts'

export function LootboxTypesPage() {
  const { data: types, error } = useQuery(lootboxTypesQuery)
  const [drawnTypeId, setDrawn] = useState<string>()
  return (
    <Section
      title={texts.title}
      text={texts.text}
      actions={
        <Link to="/admin/lootboxes/types/new" className={buttonLook()}>
          {texts.create}
        </Link>
      }
    >
      {types ? <Types types={types} onDraw={setDrawn} /> : null}
      {types && types.length > 0 ? (
        <ExportButton list={{ path: '/lootbox_type/export', name: 'lootbox-types' }} />
      ) : null}
      {types ? null : error ? <ErrorOf thrown={error} /> : <Waiting />}
      {drawnTypeId && types ? (
        <DrawDialog types={types} chosen={drawnTypeId} onClose={() => setDrawn(undefined)} />
      ) : null}
    </Section>
  )
}

type TypesProps = { types: readonly LootboxType[]; onDraw: (id: string) => void }

const Types = ({ types, onDraw }: TypesProps) =>
  types.length === 0 ? (
    <Card>
      <p className="text-soft">{texts.none}</p>
    </Card>
  ) : (
    <ul className="grid gap-4 xl:grid-cols-2">
      {types.map((type) => (
        <li key={type.id}>
          <Type type={type} onDraw={() => onDraw(type.id)} />
        </li>
      ))}
    </ul>
  )

function Type({ type, onDraw }: { type: LootboxType; onDraw: () => void }) {
  const { id, name, description, config, price_in_cents, exhausted_at, created_at } = type
  const named = <span className="sr-only">: {name}</span>
  return (
    <Card className="grid h-full content-start gap-4">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h2 className="min-w-0 wrap-anywhere">{name}</h2>
        {exhausted_at ? (
          <Badge tone="wrong">{texts.exhausted}</Badge>
        ) : (
          <Badge tone="good">{texts.open}</Badge>
        )}
      </div>
      {description ? <p className="text-soft wrap-anywhere">{description}</p> : null}
      <ul className="grid gap-1 text-sm">
        <li>{texts.facts(config.size, config.min_length, config.max_length)}</li>
        {config.guarantees.map(({ count, min_score, max_score }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two guarantees may be equal
          <li key={nth}>{texts.guaranteed(count, min_score, max_score)}</li>
        ))}
        <li>
          {price_in_cents ? (
            <>
              {texts.price} <Money cents={price_in_cents} />
            </>
          ) : (
            texts.notSold
          )}{' '}
          · {texts.made} <When at={created_at} />
        </li>
        {exhausted_at ? <li className="text-wrong">{texts.exhaustedText}</li> : null}
      </ul>
      <Odds name={name} config={config} price={price_in_cents} />
      <div className="flex flex-wrap gap-3">
        {exhausted_at ? null : (
          <Button look="second" onClick={onDraw}>
            {texts.draw}
            {named}
          </Button>
        )}
        <Link to="/admin/lootboxes" search={{ type: id } as never} className={buttonLook('quiet')}>
          {texts.boxes}
          {named}
        </Link>
      </div>
    </Card>
  )
}
