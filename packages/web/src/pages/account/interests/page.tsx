import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import { ConfirmDialog } from '../../../design/confirm-dialog.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { ListPage } from '../../../design/list-page.tsx'
import { useList } from '../../../design/list-search.ts'
import { texts as accountTexts } from '../texts.ts'
import { AddInterest } from './add-interest.tsx'
import { type Interest, interestsQuery, removeInterest } from './queries.ts'
import { texts } from './texts.ts'

const refresh = () => void queries.invalidateQueries({ queryKey: ['interests'] })

export function InterestsPage() {
  const { page } = useList({})
  const answer = useQuery(interestsQuery(page))
  const [removing, setRemoving] = useState<string>()
  return (
    <ListPage
      title={accountTexts.sections.interests}
      above={<AddInterest onAdded={refresh} />}
      answer={answer}
      csv={{ path: '/user_interests/export', name: 'watchlist' }}
      texts={texts}
      columns={columnsWith(setRemoving)}
      keyOf={({ id }) => id}
      empty={<NoInterests />}
      hasNone={answer.data?.paging.total === 0}
    >
      {removing ? (
        <ConfirmDialog
          title={texts.confirm.title}
          text={
            <span className="grid gap-3">
              <EmojiId id={removing} />
              {texts.confirm.text}
            </span>
          }
          action={texts.confirm.action}
          run={() => removeInterest(removing)}
          onDone={() => {
            announce(texts.confirm.done)
            refresh()
          }}
          onClose={() => setRemoving(undefined)}
        />
      ) : null}
    </ListPage>
  )
}

const NoInterests = () => (
  <>
    <p className="text-soft">{texts.none}</p>
    <Link to="/" className={buttonLook('second')}>
      {texts.find}
    </Link>
  </>
)

const columnsWith = (onRemove: (id: string) => void): Column<Interest>[] => [
  {
    title: texts.columns.id,
    show: ({ emoji_id }) => (
      <span className="grid justify-items-start gap-1.5">
        <EmojiId id={emoji_id} />
        <span aria-hidden="true" className="text-sm text-soft">
          {spokenNames(emoji_id)}
        </span>
      </span>
    ),
  },
  { title: texts.columns.since, show: ({ created_at }) => <When at={created_at} /> },
  {
    title: texts.columns.state,
    show: ({ notified_at }) =>
      notified_at ? (
        <span className="inline-flex flex-wrap items-center justify-end gap-2">
          <Badge tone="good">{texts.free}</Badge> <When at={notified_at} />
        </span>
      ) : (
        <Badge>{texts.waiting}</Badge>
      ),
  },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ emoji_id }) => {
      const named = <span className="sr-only">: {spokenNames(emoji_id)}</span>
      return (
        <span className="flex flex-wrap gap-2 whitespace-nowrap md:justify-end">
          <Link to="/" search={{ q: emoji_id }} className={buttonLook('second')}>
            {texts.look}
            {named}
          </Link>
          <Button look="quiet" onClick={() => onRemove(emoji_id)}>
            {texts.remove}
            {named}
          </Button>
        </span>
      )
    },
  },
]
