import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { searchOf } from '../../api/search.ts'
import { Button } from '../../design/button.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { onTakeOver, selectText, showApp, type TextSelection } from '../../design/served-view.ts'
import { Echo } from './echo.tsx'
import { Field } from './field.tsx'
import { IdTiles } from './id-tiles.tsx'
import { Picker } from './picker/picker.tsx'
import { randomIds, recentIds } from './queries.ts'
import { readEmojis, readText } from './read-text.ts'
import { placePart, readServedField, watchDemo } from './served-parts.ts'
import { texts } from './texts.ts'
import { useChosen } from './use-chosen.ts'

/** Loaded with the first chosen emoji: the page paints without them. */
const loadAnswerParts = () => import('./answer-parts.tsx')
const About = lazy(async () => ({ default: (await loadAnswerParts()).About }))
const Actions = lazy(async () => ({ default: (await loadAnswerParts()).Actions }))
const ChosenBar = lazy(async () => ({ default: (await loadAnswerParts()).ChosenBar }))

/** The chosen emojis in the URL, so that a search can be shared. Emails use `emoji_id`. */
export function readSearch({ q, emoji_id }: Record<string, unknown>): { q?: string } {
  const queryText = q ?? emoji_id
  return typeof queryText === 'string' && queryText !== '' ? { q: queryText } : {}
}

/** Emojis of the text left the field, so that positions count the words only. */
function focusText(field: HTMLInputElement | null, text: string, selection: TextSelection): void {
  const countWords = (end: number) => readEmojis(text.slice(0, end)).rest.length
  field?.focus({ preventScroll: true })
  if (!field) return
  const { from, to, direction } = selection
  selectText(field, { from: countWords(from), to: countWords(to), direction })
}

export function SearchPage() {
  const { q = '' } = useSearch({ from: '/' })
  const idField = useChosen()
  const [draft, setDraft] = useState(() => readText(q).rest)
  const answer = useQuery(searchOf(idField.id))
  const isAnswered = idField.id !== undefined && !answer.isPlaceholderData
  const match = isAnswered ? answer.data : undefined
  /** Stays visible while another emoji is added. */
  const last = idField.isRight ? answer.data : undefined
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLTableElement>(null)
  const result = useRef<HTMLDivElement>(null)
  /** The pressed link may be unmounted with its list. */
  const focusField = () => {
    setDraft('')
    result.current?.focus({ preventScroll: true })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useLayoutEffect(() => {
    const forget = onTakeOver((serverView) => {
      const typedField = readServedField(serverView)
      if (!typedField) return undefined
      const { text, selection } = typedField
      const { pieces, rest } = readEmojis(text)
      if (pieces.length > 0) idField.add(pieces)
      if (rest) setDraft(rest)
      return () => selection && focusText(field.current, text, selection)
    })
    // The title comes with the page of the server, so its arrival tells nothing.
    queueMicrotask(showApp)
    return forget
  }, [])
  const hasChosen = idField.pieces.length > 0
  useEffect(() => {
    // Offline, the first part that needs it reports the error.
    if (hasChosen) loadAnswerParts().catch(() => {})
  }, [hasChosen])
  const isEmpty = idField.pieces.length === 0 && draft.trim() === ''

  return (
    <div className="grid grid-cols-1 gap-6 max-sm:pb-16">
      <Hero />
      <Card className="mx-auto w-full max-w-3xl shadow-xl">
        <Field
          chosen={idField}
          draft={draft}
          setDraft={setDraft}
          fieldRef={field}
          onDown={() => grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()}
        />
        {/* As high with an answer as without, so that the emojis below stay where they are. */}
        <section
          ref={result}
          tabIndex={-1}
          aria-label={texts.echo.id}
          className="mt-4 grid min-h-36 content-center rounded-field outline-none sm:min-h-28"
        >
          <div className="flex flex-wrap items-center justify-between gap-4">
            <Echo chosen={idField} draft={draft} answer={match} isFailed={answer.isError} />
            {match ? (
              // On phones the bar below has them.
              <div className="max-sm:hidden">
                <Suspense fallback={null}>
                  <Actions
                    item={match.result}
                    text={idField.text}
                    onLookAgain={() => void answer.refetch()}
                  />
                </Suspense>
              </div>
            ) : null}
          </div>
          {isEmpty ? <Examples onChoose={focusField} /> : null}
          {idField.id && answer.error ? (
            <div className="mt-3 flex flex-wrap items-center gap-3">
              <ErrorOf thrown={answer.error} />
              <Button look="second" isBusy={answer.isFetching} onClick={() => answer.refetch()}>
                {texts.again}
              </Button>
            </div>
          ) : null}
        </section>
      </Card>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]">
        <Picker
          typed={draft}
          chosen={idField.pieces}
          gridRef={grid}
          onPick={(emoji) => {
            idField.add([{ text: emoji }])
            // The result with the focus is unmounted.
            if (draft) field.current?.focus()
            setDraft('')
          }}
          onLeave={() => field.current?.focus()}
        />
        {last ? (
          <Suspense fallback={null}>
            <About answer={last} onChoose={focusField} />
          </Suspense>
        ) : (
          <Random onChoose={focusField} />
        )}
      </div>
      <Recent onChoose={focusField} />
      <Landing />
      {hasChosen ? (
        <Suspense fallback={null}>
          <ChosenBar chosen={idField} answer={match} onLookAgain={() => void answer.refetch()} />
        </Suspense>
      ) : null}
    </div>
  )
}

/** The title, one sentence and the three steps, which the server writes. */
function Hero() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    return place.current ? placePart('hero', place.current) : undefined
  }, [])
  return <div ref={place} className="min-h-48" />
}

/** The first ids, which the server writes with their art: no sheet has to load for them. */
function Examples({ onChoose }: { onChoose: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const forget = placePart('examples', element)
    const choose = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const q = new URL(link.href).searchParams.get('q') ?? ''
      void navigate({ to: '/', search: { q } })
      onChoose()
    }
    element.addEventListener('click', choose)
    return () => {
      forget()
      element.removeEventListener('click', choose)
    }
  }, [])
  return <div ref={place} />
}

/** The demonstration, the costs and the audiences, which the server writes. */
function Landing() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!place.current) return
    const forget = placePart('landing', place.current)
    const endWatch = watchDemo(place.current)
    return () => {
      forget()
      endWatch()
    }
  }, [])
  return <div ref={place} />
}

type Props = { onChoose: () => void }

const recentShown = 12
/** On phones the lists are below the picker, and cost nothing until they come into view. */
const listLook =
  'grid content-start gap-4 [content-visibility:auto] [contain-intrinsic-size:auto_24rem]'

function Random({ onChoose }: Props) {
  const { data, error, isFetching, refetch } = useQuery(randomIds)
  return (
    <Card className={listLook}>
      <div className="flex items-center justify-between gap-2">
        <h2>{texts.random.title}</h2>
        <Button look="second" isBusy={isFetching} onClick={() => refetch()}>
          {texts.random.again}
        </Button>
      </div>
      <ErrorOf thrown={error} />
      {data ? <IdTiles ids={data} onChoose={onChoose} /> : <Waiting isFailed={error !== null} />}
    </Card>
  )
}

function Recent({ onChoose }: Props) {
  const { data, error, refetch } = useQuery(recentIds)
  const ids = data?.slice(0, recentShown).map(({ emoji_id }) => ({ emoji_id }))
  return (
    <Card className={listLook}>
      <h2>{texts.recent.title}</h2>
      <ErrorOf thrown={error} />
      {error ? (
        <Button look="second" className="justify-self-start" onClick={() => refetch()}>
          {texts.again}
        </Button>
      ) : null}
      {ids?.length === 0 ? <p className="text-soft">{texts.recent.none}</p> : null}
      {ids ? null : <Waiting isFailed={error !== null} />}
      {ids?.length ? <IdTiles ids={ids} onChoose={onChoose} /> : null}
    </Card>
  )
}

/** A placeholder while the list loads. */
const Waiting = ({ isFailed }: { isFailed: boolean }) =>
  isFailed ? null : (
    <div aria-hidden="true" className="flex flex-wrap gap-2">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((place) => (
        <span key={place} className="h-20 grow basis-28 animate-pulse rounded-2xl bg-tint" />
      ))}
    </div>
  )
