import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type PriceVersion, pricesQuery } from '../../../api/admin-prices.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { readListSearch } from '../../../design/list-search.ts'
import { Section } from '../../../design/section.tsx'
import { Unsaved } from '../../../design/unsaved.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { differences } from '../prices/differences.ts'
import { PriceGrid } from '../prices/price-grid.tsx'
import { ChangeForm } from './change-form.tsx'
import { Preview } from './preview.tsx'
import { setPrices } from './queries.ts'
import { texts } from './texts.ts'

export function NewPricesPage() {
  const { data: versions, error } = useQuery(pricesQuery)
  const search = readListSearch(useSearch({ strict: false }))
  const [current] = versions ?? []
  const start = versions?.find(({ version }) => String(version) === search['from']) ?? current
  return (
    <Section title={texts.title} text={texts.text}>
      {current && start ? (
        <Editor key={search['from'] ?? ''} current={current} start={start} />
      ) : null}
      {current ? null : error ? <ErrorOf thrown={error} /> : <Waiting />}
    </Section>
  )
}

type Props = { current: PriceVersion; start: PriceVersion }

function Editor({ current, start }: Props) {
  const [prices, setDraft] = useState<readonly (number | null)[]>(start.prices)
  // Keep the prices from the start of the edit, even if the query refetches.
  const [startPrices] = useState(current)
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const changes = differences(prices, current.prices)
  return (
    <>
      <Unsaved isThere={differences(prices, start.prices) > 0} />
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <h2>{texts.change}</h2>
          <p className="text-sm text-soft">{texts.startsFrom(start.version)}</p>
        </div>
        <ChangeForm prices={prices} onChange={setDraft} />
      </Card>
      <Card className="grid gap-4">
        <h2>{texts.preview}</h2>
        <Preview before={current.prices} after={prices} />
      </Card>
      <Card className="grid gap-4">
        <h2>{texts.table}</h2>
        <p role="status" className="font-medium">
          {texts.changes(changes)}
        </p>
        <div className="flex flex-wrap gap-3">
          <Button disabled={changes === 0} onClick={() => setAsked(true)}>
            {texts.save}
          </Button>
          <Button look="second" onClick={() => setDraft(start.prices)}>
            {texts.startOver}
          </Button>
        </div>
        <PriceGrid prices={prices} before={current.prices} />
      </Card>
      {isAsked ? (
        <ConfirmDialog
          title={texts.confirm.title}
          text={texts.confirm.text(changes)}
          action={texts.save}
          isDangerous
          asksReason
          run={(reason) =>
            setPrices({ prices: [...prices], reason, based_on: startPrices.version })
          }
          onDone={({ version }) => {
            announce(texts.confirm.done(version))
            navigate({ to: '/admin/prices', ignoreBlocker: true })
          }}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  )
}
