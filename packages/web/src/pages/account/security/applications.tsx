import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Part } from '../../../design/section.tsx'
import { applicationsQuery, disconnectApplication } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.applications

type Row = {
  client_id: string
  name: string
  logo: string | null
  emoji_id: string
  created_at: string
  last_used_at: string
}

export function Applications() {
  const { data, error } = useQuery(applicationsQuery)
  const [ending, setEnding] = useState<Row>()
  return (
    <Part title={texts.title} text={texts.text}>
      {data?.length === 0 ? (
        <p>{texts.none}</p>
      ) : (
        <DataTable
          caption={texts.caption}
          columns={columnsWith(setEnding)}
          rows={data}
          keyOf={({ client_id, emoji_id }) => `${client_id} ${emoji_id}`}
          error={error}
          empty={texts.none}
        />
      )}
      {ending ? (
        <ConfirmDialog
          title={texts.confirm.title(ending.name)}
          text={texts.confirm.text}
          action={texts.confirm.action}
          isDangerous
          run={() => disconnectApplication(ending.client_id)}
          onDone={() => {
            announce(texts.confirm.done(ending.name))
            void queries.invalidateQueries({ queryKey: applicationsQuery.queryKey })
          }}
          onClose={() => setEnding(undefined)}
        />
      ) : null}
    </Part>
  )
}

const columnsWith = (onEnd: (row: Row) => void): Column<Row>[] => [
  {
    title: texts.columns.name,
    show: ({ name, logo }) => (
      <span className="flex items-center gap-3">
        {logo ? <img src={logo} alt="" className="size-8 rounded-field object-contain" /> : null}
        <span className="font-semibold wrap-anywhere">{name}</span>
      </span>
    ),
  },
  { title: texts.columns.id, show: ({ emoji_id }) => <EmojiId id={emoji_id} size="small" /> },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
  { title: texts.columns.used, show: ({ last_used_at }) => <When at={last_used_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (row) => (
      <Button look="second" onClick={() => onEnd(row)}>
        {texts.end}
        <span className="sr-only">: {row.name}</span>
      </Button>
    ),
  },
]
