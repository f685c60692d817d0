import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { Part } from '../../../design/section.tsx'
import { deviceName } from './device-name.ts'
import { endOtherSessions, endSession, type OpenSession, sessionsQuery } from './queries.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.sessions

export function Sessions() {
  const { data, error } = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<OpenSession | 'others'>()
  const hasOthers = data?.some(({ current }) => !current)
  return (
    <Part
      title={texts.title}
      text={texts.text}
      actions={
        hasOthers ? (
          <Button look="second" onClick={() => setEnding('others')}>
            {texts.endOthers}
          </Button>
        ) : null
      }
    >
      <DataTable
        caption={texts.caption}
        columns={columnsWith(setEnding)}
        rows={data}
        keyOf={({ id }) => id}
        error={error}
        empty={texts.unknown}
      />
      {ending ? <EndDialog ending={ending} onClose={() => setEnding(undefined)} /> : null}
    </Part>
  )
}

const columnsWith = (onEnd: (session: OpenSession) => void): Column<OpenSession>[] => [
  {
    title: texts.columns.where,
    show: ({ user_agent, current }) => (
      <span className="flex flex-wrap items-center gap-2">
        <span title={user_agent ?? undefined} className="font-semibold wrap-anywhere">
          {deviceName(user_agent)}
        </span>
        {current ? <Badge tone="good">{texts.current}</Badge> : null}
      </span>
    ),
  },
  { title: texts.columns.kind, show: ({ kind }) => texts.kinds[kind] },
  { title: texts.columns.used, show: ({ last_used_at }) => <When at={last_used_at} /> },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: (session) =>
      session.current ? null : (
        <Button look="second" onClick={() => onEnd(session)}>
          {texts.end}
          <span className="sr-only">: {deviceName(session.user_agent)}</span>
        </Button>
      ),
  },
]

type DialogProps = { ending: OpenSession | 'others'; onClose: () => void }

function EndDialog({ ending, onClose }: DialogProps) {
  const isAll = ending === 'others'
  const words = isAll ? texts.confirmOthers : texts.confirmEnd
  const text = isAll
    ? texts.confirmOthers.text
    : texts.confirmEnd.text(deviceName(ending.user_agent))
  const end = () => (isAll ? endOtherSessions() : endSession(ending.id))
  return (
    <ConfirmDialog
      title={words.title}
      text={text}
      action={words.action}
      onClose={onClose}
      isDangerous
      run={end}
      onDone={() => {
        announce(words.done)
        void queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
      }}
    />
  )
}
