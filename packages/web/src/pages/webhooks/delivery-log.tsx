import type { ReactNode } from 'react'
import type { AnswerOf } from '../../api/shapes.ts'
import { Badge, type Tone } from '../../design/badge.tsx'
import type { Column } from '../../design/data-table.tsx'
import { When } from '../../design/date.tsx'
import { optionsOf } from '../../design/field.tsx'
import { FilterSelect, Filters } from '../../design/filters.tsx'
import { PagedTable, type PagedTableProps } from '../../design/paged-table.tsx'
import { texts } from './texts.ts'

export type Delivery = AnswerOf<'listWebhookDeliveries'>['data'][number]

export const deliveryStatuses = ['waiting', 'sending', 'delivered', 'failed', 'cancelled'] as const
const options = optionsOf(deliveryStatuses, texts.deliveries)
const tones: Partial<Record<Delivery['status'], Tone>> = { delivered: 'good', failed: 'wrong' }

type Props = {
  answer: PagedTableProps<Delivery>['answer']
  status: { value: string | undefined; onChange: (value: string) => void }
  csv: NonNullable<PagedTableProps<Delivery>['csv']>
  /** The buttons of a delivery. */
  actionsOf?: (delivery: Delivery) => ReactNode
}

/** The log of deliveries, newest first. */
export const DeliveryLog = ({ answer, status, csv, actionsOf }: Props) => (
  <PagedTable
    answer={answer}
    csv={csv}
    texts={texts}
    filters={
      <Filters label={texts.filters}>
        <FilterSelect label={texts.status} all={texts.everyStatus} options={options} {...status} />
      </Filters>
    }
    columns={actionsOf ? [...columns, actionColumn(actionsOf)] : columns}
    keyOf={({ id }) => id}
    empty={texts.none}
  />
)

const columns: Column<Delivery>[] = [
  {
    title: texts.columns.event,
    show: ({ type, emoji_id, event_id }) => (
      <span className="grid gap-0.5">
        <span className="font-semibold">{type}</span>
        {emoji_id ? <span lang="zxx">{emoji_id}</span> : null}
        <span className="font-mono text-sm wrap-anywhere text-soft">{event_id}</span>
      </span>
    ),
  },
  {
    title: texts.columns.state,
    show: ({ status, tries, next_try_at }) => (
      <span className="grid justify-items-start gap-1">
        <Badge tone={tones[status] ?? 'plain'}>{texts.deliveries[status]}</Badge>
        {tries > 0 ? <span className="text-sm text-soft">{texts.tries(tries)}</span> : null}
        {next_try_at && tries > 0 ? (
          <span className="text-sm text-soft">
            {texts.nextTry} <When at={next_try_at} />
          </span>
        ) : null}
      </span>
    ),
  },
  { title: texts.columns.response, isLong: true, show: (delivery) => <Response {...delivery} /> },
  {
    title: texts.columns.time,
    show: ({ last_tried_at, created_at }) => <When at={last_tried_at ?? created_at} />,
  },
]

const actionColumn = (show: (delivery: Delivery) => ReactNode): Column<Delivery> => ({
  title: texts.columns.actions,
  isAtEnd: true,
  isAction: true,
  show,
})

const Response = ({ response_status, latency_ms, answer, error }: Delivery) => (
  <span className="grid gap-1">
    {response_status === null && error ? <span>{error}</span> : null}
    {response_status === null ? null : (
      <span>
        {response_status}
        {latency_ms === null ? null : (
          <span className="text-soft"> · {texts.latency(latency_ms)}</span>
        )}
      </span>
    )}
    {answer ? (
      <details>
        <summary className="min-h-6 cursor-pointer font-medium text-main underline underline-offset-4">
          {texts.answer}
        </summary>
        <pre className="mt-2 max-h-60 overflow-auto rounded-field bg-tint p-3 text-left text-sm whitespace-pre-wrap wrap-anywhere">
          {answer}
        </pre>
      </details>
    ) : null}
  </span>
)
