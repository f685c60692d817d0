import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { queries } from '../../../api/query-client.ts'
import { announce } from '../../../design/announcements.ts'
import { Button, buttonLook } from '../../../design/button.tsx'
import { DayChart } from '../../../design/charts/chart.tsx'
import { Checkbox } from '../../../design/choice.tsx'
import { When } from '../../../design/date.tsx'
import { ConfirmDialog } from '../../../design/dialog.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Alert, ErrorOf } from '../../../design/feedback.tsx'
import { focusContent } from '../../../design/focus-content.ts'
import { SectionNav } from '../../../design/section-nav.tsx'
import { useTitle } from '../../../design/use-title.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { isFuture } from '../../../time.ts'
import { NotFound } from '../../not-found.tsx'
import { readId } from '../../partner/own-id.ts'
import { texts as accountTexts } from '../texts.ts'
import { changesQuery, releaseId, statsQuery } from './queries.ts'
import { texts } from './texts.ts'

const { parts: idParts } = texts

/** The frame around the pages of one own id. */
export function IdLayout() {
  const { id } = useParams({ from: '/account/ids/$id' })
  return readId(id) ? <IdParts id={id} /> : <NotFound />
}

/** Explains why the id cannot be transferred. */
function FrozenNotice({ id }: { id: string }) {
  const { data } = useQuery(ownIdPageQuery({ page: 0, q: id }))
  const isFrozen = data?.data.some(
    (one) => [one.emoji_id, one.canonical_format].includes(id) && one.frozen_at,
  )
  return isFrozen ? <Alert>{accountTexts.frozenText}</Alert> : null
}

function IdParts({ id }: { id: string }) {
  const names = spokenNames(id)
  useTitle(names)
  // Only owners can read the history, so its error shows that the account does not own the id.
  const { data, error } = useQuery(changesQuery(id, 0))
  const params = { id }
  const parts = [
    {
      link: linkOptions({ to: '/account/ids/$id', params }),
      text: idParts.addresses,
      isExact: true,
    },
    { link: linkOptions({ to: '/account/ids/$id/page', params }), text: idParts.page },
    { link: linkOptions({ to: '/account/ids/$id/share', params }), text: idParts.share },
    { link: linkOptions({ to: '/account/ids/$id/history', params }), text: idParts.history },
  ]
  return (
    <div className="grid gap-5">
      <Link to="/account" className={`${buttonLook('quiet')} -ml-3 justify-self-start`}>
        {idParts.back}
      </Link>
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h1 className="grid gap-2">
          <EmojiId id={id} />
          <span aria-hidden="true" className="text-base font-normal tracking-normal text-soft">
            {names}
          </span>
        </h1>
        <div className="flex flex-wrap gap-3">
          {data ? (
            <Link to="/account/transfers" search={{ send: id }} className={buttonLook('second')}>
              {idParts.send}
            </Link>
          ) : null}
          <a href={`/${encodeURIComponent(id)}`} className={buttonLook('second')}>
            {idParts.view}
          </a>
        </div>
      </div>
      <SignedUntil id={id} />
      <ErrorOf thrown={error} />
      {data || error ? null : <Waiting />}
      {data ? (
        <>
          <ViewCounts id={id} />
          <FrozenNotice id={id} />
          <SectionNav label={idParts.label(names)} sections={parts} look="row" />
          <Outlet />
          <ReleaseId id={id} />
        </>
      ) : null}
    </div>
  )
}

const { views: viewsTexts } = texts

/** How often the id was looked up. Counts that the service cannot read are left out. */
function ViewCounts({ id }: { id: string }) {
  const { data } = useQuery(statsQuery(id))
  const countOf = (name: string) => {
    const value = data?.metrics.find(({ metric }) => metric === name)?.value ?? -1
    return value < 0 ? undefined : value
  }
  const [month, today] = ['api_emoji_lookups', 'api_emoji_lookups_today'].map(countOf)
  const counts = [
    ...(today === undefined ? [] : [viewsTexts.today(today)]),
    ...(month === undefined ? [] : [viewsTexts.month(month)]),
  ]
  if (!data) return null
  return (
    <div className="grid gap-2 text-sm">
      <p className="text-soft">
        {counts.length > 0 ? `${viewsTexts.lookups}: ${counts.join(', ')}` : viewsTexts.unknown}
      </p>
      {data.days ? <Days days={data.days} /> : null}
    </div>
  )
}

type Day = { day: string; lookups: number; pages: number }

/** Lookups and opened payment sheets by day. */
function Days({ days }: { days: readonly Day[] }) {
  const sumOf = (name: 'lookups' | 'pages') => days.reduce((sum, day) => sum + day[name], 0)
  const bars = days.map(({ day, lookups, pages }) => ({ day, count: lookups, second: pages }))
  return (
    <details>
      <summary className="min-h-6 w-fit cursor-pointer text-main underline underline-offset-4">
        {viewsTexts.perDay}
      </summary>
      <figure className="mt-3 grid min-w-0 gap-2">
        <figcaption>{viewsTexts.sums(sumOf('lookups'), sumOf('pages'))}</figcaption>
        <DayChart
          label={viewsTexts.chart}
          unit={viewsTexts.lookups}
          secondUnit={viewsTexts.sheets}
          days={bars}
        />
      </figure>
    </details>
  )
}

/** An id with a valid mint signature cannot move. */
function SignedUntil({ id }: { id: string }) {
  const { data } = useQuery(ownIdPageQuery({ page: 0, q: id }))
  const own = data?.data.find((one) => [one.emoji_id, one.canonical_format].includes(id))
  const until = own?.signed_until
  if (!until || new Date(until) <= new Date()) return null
  return (
    <p className="rounded-field bg-tint p-4">
      {accountTexts.signedText} <When at={until} isExact />
    </p>
  )
}

const releaseTexts = texts.release

type Restrictions = {
  minted: boolean
  frozen_at?: string | null
  signed_until?: string | null
  blocked_until: string | null
}

/** Why the id cannot be released right now. */
function findObstacle({ minted, frozen_at, signed_until, blocked_until }: Restrictions) {
  if (minted) return releaseTexts.minted
  const isHeldUp = frozen_at || isFuture(signed_until) || isFuture(blocked_until)
  return isHeldUp ? releaseTexts.notNow : undefined
}

/** Releases an id. */
function ReleaseId({ id }: { id: string }) {
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const { data } = useQuery(ownIdPageQuery({ page: 0, q: id }))
  const own = data?.data.find((one) => [one.emoji_id, one.canonical_format].includes(id))
  const obstacle = own && findObstacle(own)
  if (obstacle) return <p className="border-t border-hair pt-4 text-sm text-soft">{obstacle}</p>
  return (
    <div className="border-t border-hair pt-4">
      <Button look="quiet" className="-ml-3" onClick={() => setAsked(true)}>
        {releaseTexts.open}
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={releaseTexts.title}
          text={
            <span className="grid gap-3">
              <EmojiId id={id} />
              <span>{releaseTexts.text}</span>
            </span>
          }
          action={releaseTexts.action}
          isDangerous
          run={() => releaseId(id)}
          onDone={async () => {
            announce(releaseTexts.done)
            // Leave first: queries on this page would ask for an id that no longer exists.
            await navigate({ to: '/account' })
            queries.removeQueries({ type: 'inactive' })
            await queries.invalidateQueries()
            focusContent()
          }}
          onClose={() => setAsked(false)}
        >
          <Checkbox label={releaseTexts.sure} required />
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
