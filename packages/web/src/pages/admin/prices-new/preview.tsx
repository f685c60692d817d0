import {
  EmojiIdError,
  isReleased,
  type PriceTable,
  parseEmojiId,
  priceOf,
  rhythmScore,
} from '@emojid/core'
import { useState } from 'react'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Money } from '../../../design/money.tsx'
import { TextArea } from '../../../design/text-area.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Price } from '../prices/price-grid.tsx'
import { randomIds } from './queries.ts'
import { texts } from './texts.ts'

const idsAtMost = 50

type Props = { before: PriceTable; after: PriceTable }

/** Old and new prices of chosen ids, computed by the pricing code of the service. */
export function Preview({ before, after }: Props) {
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

function IdCell({ id, score, isReleased: isThere }: Row) {
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
      {isThere ? null : <span className="text-sm text-soft">{texts.unreleased}</span>}
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
