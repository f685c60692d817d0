import {
  EmojiIdError,
  isReleased,
  type PriceTable,
  parseEmojiId,
  priceOf,
  rhythmScore,
} from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { type PriceVersion, pricesQuery } from '../../../api/admin.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { TextArea } from '../../../design/field.tsx'
import { readListSearch } from '../../../design/list-search.ts'
import { Money } from '../../../design/money.tsx'
import { Section } from '../../../design/section.tsx'
import { Unsaved } from '../../../design/unsaved.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { differences, Price, PriceGrid } from '../prices/price-grid.tsx'
import { ChangeForm } from './change-form.tsx'
import { randomIds, setPrices } from './queries.ts'
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
      <Unsaved isUnsaved={differences(prices, start.prices) > 0} />
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

const idsAtMost = 50

type PreviewProps = { before: PriceTable; after: PriceTable }

/** Old and new prices of chosen ids, computed by the pricing code of the service. */
function Preview({ before, after }: PreviewProps) {
  const [text, setText] = useState('')
  const chooseMutation = useAction({
    mutationFn: randomIds,
    onSuccess: (ids) => setText(ids.join('\n')),
  })
  const idTexts = [...new Set(text.split(/[\s,;]+/).filter(Boolean))].slice(0, idsAtMost)
  return (
    <div className="grid gap-4">
      <TextArea
        label={texts.ids}
        hint={texts.idsHint}
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button
        look="second"
        className="justify-self-start"
        isBusy={chooseMutation.isPending}
        onClick={() => chooseMutation.mutate()}
      >
        {texts.random}
      </Button>
      <ErrorOf thrown={chooseMutation.error} />
      <DataTable
        caption={texts.caption}
        columns={columns}
        rows={idTexts.map((id) => rowOf(id, before, after))}
        keyOf={({ id }) => id}
        empty={<p className="text-soft">{texts.noIds}</p>}
      />
    </div>
  )
}

type Row = {
  id: string
  /** Undefined if the text is not an id. */
  score?: number
  isReleased?: boolean
  before?: number | null
  after?: number | null
}

function rowOf(text: string, before: PriceTable, after: PriceTable): Row {
  try {
    const id = parseEmojiId(text)
    return {
      id: text,
      score: rhythmScore(id),
      isReleased: isReleased(id),
      before: priceOf(id, before),
      after: priceOf(id, after),
    }
  } catch (error) {
    if (error instanceof EmojiIdError) return { id: text }
    throw error
  }
}

const columns: Column<Row>[] = [
  { title: texts.columns.id, show: (row) => <IdCell {...row} /> },
  { title: texts.columns.score, isAtEnd: true, show: ({ score }) => score ?? '' },
  {
    title: texts.columns.before,
    isAtEnd: true,
    show: ({ before }) => (before === undefined ? '' : <Price cents={before} />),
  },
  {
    title: texts.columns.after,
    isAtEnd: true,
    show: ({ after }) => (after === undefined ? '' : <Price cents={after} />),
  },
  {
    title: texts.columns.change,
    isAtEnd: true,
    show: (row) => <Difference {...row} />,
  },
]

function IdCell({ id, score, isReleased }: Row) {
  if (score === undefined) {
    return (
      <span className="wrap-anywhere">
        {id} <span className="text-sm font-medium text-wrong">{texts.wrongId}</span>
      </span>
    )
  }
  return (
    <span className="grid gap-1">
      <EmojiId id={id} size="small" />
      {isReleased ? null : <span className="text-sm text-soft">{texts.unreleased}</span>}
    </span>
  )
}

function Difference({ before, after }: Row) {
  if (before === undefined || after === undefined) return null
  if (before === after) return <span className="text-soft">{texts.same}</span>
  if (before === null || after === null) return null
  return (
    <strong>
      {after > before ? '+' : ''}
      <Money cents={after - before} />
    </strong>
  )
}
