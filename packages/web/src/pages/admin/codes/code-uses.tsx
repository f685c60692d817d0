import { useQuery } from '@tanstack/react-query'
import type { AnswerOf } from '../../../api/shapes.ts'
import { Badge } from '../../../design/badge.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { useList } from '../../../design/list-search.ts'
import { PagedTable } from '../../../design/paged-table.tsx'
import { OrderLink, PersonLink } from '../parts/links.tsx'
import { ListPanel } from '../parts/panel.tsx'
import { type Code, codeUsesQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.given
type Use = AnswerOf<'listCodeUses'>['data'][number]

export function CodeUses({ code }: { code: Code }) {
  const { page } = useList({})
  const answer = useQuery(codeUsesQuery(code.id, page))
  return (
    <ListPanel title={texts.titles[code.code_type]}>
      <PagedTable
        answer={answer}
        texts={texts}
        columns={columns}
        csv={{ path: '/admin/codes/{id}/uses/export', name: 'code-uses', id: code.id }}
        keyOf={({ order_id }) => order_id}
        empty={texts.none}
      />
    </ListPanel>
  )
}

const columns: Column<Use>[] = [
  {
    title: texts.columns.order,
    show: ({ order_id, order_number }) => (
      <OrderLink id={order_id}>
        <span className="font-mono">{order_number}</span>
      </OrderLink>
    ),
  },
  {
    title: texts.columns.who,
    show: ({ user_id, email }) => <PersonLink id={user_id} email={email} />,
  },
  {
    title: texts.columns.ids,
    show: ({ emoji_ids }) =>
      emoji_ids.length === 0 ? (
        texts.noIds
      ) : (
        <span className="flex flex-wrap justify-end gap-3 md:justify-start">
          {emoji_ids.map((id) => (
            <EmojiId key={id} id={id} size="small" />
          ))}
        </span>
      ),
  },
  {
    title: texts.columns.state,
    show: ({ counted_at }) =>
      counted_at ? <Badge tone="good">{texts.paid}</Badge> : <Badge>{texts.reserved}</Badge>,
  },
  {
    title: texts.columns.when,
    show: ({ counted_at, created_at }) => <When at={counted_at ?? created_at} />,
  },
]
