import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions, Outlet, useParams } from '@tanstack/react-router'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { buttonLook } from '../../../design/button.tsx'
import { EmojiId, spokenNames } from '../../../design/emoji-id.tsx'
import { Alert, ErrorOf } from '../../../design/feedback.tsx'
import { SectionNav } from '../../../design/section-nav.tsx'
import { useTitle } from '../../../design/use-title.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { NotFound } from '../../not-found.tsx'
import { readId } from '../../partner/own-id.ts'
import { texts as accountTexts } from '../texts.ts'
import { changesQuery } from './queries.ts'
import { ReleaseId } from './release-id.tsx'
import { SignedUntil } from './signed-until.tsx'
import { texts } from './texts.ts'
import { ViewCounts } from './view-counts.tsx'

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
