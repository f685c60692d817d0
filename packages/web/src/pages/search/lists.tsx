import { useQuery } from '@tanstack/react-query'
import { Button } from '../../design/button.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { IdTiles } from './id-tiles.tsx'
import { randomIds, recentIds } from './queries.ts'
import { texts } from './texts.ts'

type Props = { onChoose: () => void }

const recentShown = 12
/** On phones the lists are below the picker, and cost nothing until they come into view. */
const listLook =
  'grid content-start gap-4 [content-visibility:auto] [contain-intrinsic-size:auto_24rem]'

export function Random({ onChoose }: Props) {
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

export function Recent({ onChoose }: Props) {
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
