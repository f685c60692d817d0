import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Branding } from '../../api/partners.ts'
import { buttonLook } from '../../design/button.tsx'
import { EmojiId, spokenNames } from '../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { usePartnerSearch } from './address.ts'
import { AddressReview } from './address-review.tsx'
import { GoBack } from './go-back.tsx'
import { ownId } from './own-id.ts'
import { ownIdsQuery } from './queries.ts'
import { StepTitle } from './step-title.tsx'
import { texts } from './texts.ts'

type Props = { branding: Branding; path: string }

/** The visitor chooses which id to link to the partner's wallet. */
export function ChooseId({ branding, path }: Props) {
  const { id } = usePartnerSearch()
  const { eid = '' } = useLastVisit() ?? {}
  const { data: ids, error } = useQuery(ownIdsQuery)
  if (!ids) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (id) return <AddressReview id={id} branding={branding} path={path} flow="connect" />
  const named = ownId(ids, eid)
  const sorted = named ? [named, ...ids.filter((one) => one !== named)] : ids
  return (
    <>
      <Card className="grid gap-4">
        <div className="grid gap-1">
          <StepTitle>{texts.choose.title}</StepTitle>
          <p className="text-soft">{ids.length > 0 ? texts.choose.text : texts.choose.none}</p>
        </div>
        {ids.length > 0 ? <Ids ids={sorted} path={path} /> : <NoIds path={path} />}
      </Card>
      <GoBack path={path} name={branding.name} flow="connect" look="quiet" />
    </>
  )
}

const Ids = ({ ids, path }: { ids: readonly string[]; path: string }) => (
  <ul className="grid gap-3">
    {ids.map((id) => (
      <li key={id}>
        <Link
          to="/partner/$path/link-email"
          params={{ path }}
          search={{ id }}
          aria-label={texts.choose.choose(spokenNames(id))}
          className="flex min-h-16 items-center justify-between gap-4 rounded-2xl border border-line px-4 py-3 text-ink no-underline hover:bg-tint"
        >
          <EmojiId id={id} />
          <span aria-hidden="true" className="text-2xl text-main">
            ›
          </span>
        </Link>
      </li>
    ))}
  </ul>
)

const NoIds = ({ path }: { path: string }) => (
  <div>
    <Link to="/partner/$path" params={{ path }} className={buttonLook()}>
      {texts.choose.get}
    </Link>
  </div>
)
