import { parseEmojiId, spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { queries } from '../../../api/query-client.ts'
import { addInterest, searchOf } from '../../../api/search.ts'
import { announce } from '../../../design/announcements.ts'
import { Badge } from '../../../design/badge.tsx'
import { Button, buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { ErrorOf } from '../../../design/feedback.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { Part } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { useSessionDraft } from '../../../design/use-session-draft.ts'
import { Echo } from '../../search/echo.tsx'
import { Field } from '../../search/field.tsx'
import { type Piece, textOf } from '../../search/read-text.ts'
import { chosenOf, type Selection } from '../../search/use-chosen.ts'
import { useSettled } from '../../search/use-settled.ts'
import { texts as accountTexts } from '../texts.ts'
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

/** Looks up a typed id and adds it to the watchlist if it is taken. */
function AddInterest({ onAdded }: { onAdded: () => void }) {
  const idField = useTypedId()
  const [draft, setDraft] = useSessionDraft('watched name', '')
  const field = useRef<HTMLInputElement>(null)
  const answer = useQuery(searchOf(idField.id))
  const result = idField.id && !answer.isPlaceholderData ? answer.data : undefined
  const addMutation = useAction({
    mutationFn: addInterest,
    onSuccess: (_, added) => {
      announce(texts.added)
      // The next id may have been typed meanwhile.
      if (idField.id === added) {
        idField.clear()
        field.current?.focus()
      }
      onAdded()
    },
  })
  return (
    <Part title={texts.add}>
      <Field
        chosen={idField}
        draft={draft}
        setDraft={setDraft}
        fieldRef={field}
        hint={texts.fieldHint}
      />
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-4">
        <Echo
          chosen={idField}
          draft={draft}
          answer={result}
          isFailed={answer.isError}
          taken={texts.taken}
        />
        {result?.result.availability === 'Available' ? (
          <Link to="/" search={{ q: idField.text }} className={buttonLook()}>
            {texts.get}
          </Link>
        ) : result ? (
          <Button
            isBusy={addMutation.isPending}
            onClick={() => addMutation.mutate(result.result.emoji_id)}
          >
            {texts.watch}
          </Button>
        ) : null}
      </div>
      {result && addMutation.variables === result.result.emoji_id ? (
        <ErrorOf thrown={addMutation.error} />
      ) : null}
      {idField.id ? <ErrorOf thrown={answer.error} /> : null}
    </Part>
  )
}

/** The typed id, as on the search page but not in the URL. It survives a reload of this tab. */
function useTypedId(): Selection & { clear: () => void } {
  const [{ pieces, isTooMuch }, setState] = useSessionDraft('watched id', chosenOf([]))
  const text = textOf(pieces)
  const isRight = pieces.length > 0 && pieces.every(({ fault }) => !fault)
  const settledText = useSettled(text)
  const change = (next: (before: Piece[]) => Piece[]) =>
    setState((before) => chosenOf(next(before.pieces)))
  return {
    pieces,
    text,
    isRight,
    isTooMuch,
    id: isRight && settledText === text ? parseEmojiId(text) : undefined,
    add: (more) => change((before) => [...before, ...more]),
    removeAt: (place) => change((before) => before.toSpliced(place, 1)),
    clear: () => setState(chosenOf([])),
  }
}
