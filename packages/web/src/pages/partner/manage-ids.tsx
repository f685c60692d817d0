import { spokenNames, tagFromNumber, tagInfo } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Branding } from '../../api/partners.ts'
import { recordsQuery } from '../../api/records.ts'
import { buttonLook } from '../../design/button.tsx'
import { EmojiId } from '../../design/emoji-id.tsx'
import { Card, ErrorOf } from '../../design/feedback.tsx'
import { useLastVisit } from '../../design/use-visit.ts'
import { Waiting } from '../../design/waiting.tsx'
import { usePartnerSearch } from './address.ts'
import { AddressReview } from './address-review.tsx'
import { GoBack } from './go-back.tsx'
import { ownIdsQuery } from './queries.ts'
import { useStepFocus } from './step-title.tsx'
import { texts } from './texts.ts'

type Props = { branding: Branding; path: string }

const shownAtMost = 6

/** A short list of the visitor's ids, each with the partner's addresses to review. */
export function ManageIds({ branding, path }: Props) {
  const { id } = usePartnerSearch()
  const { data: ids, error } = useQuery(ownIdsQuery)
  if (!ids) return error ? <ErrorOf thrown={error} /> : <Waiting />
  if (id) return <AddressReview id={id} branding={branding} path={path} flow="manage" />
  return (
    <>
      {ids.length > 0 ? (
        <Ids ids={ids} branding={branding} path={path} />
      ) : (
        <Card>{texts.manage.none}</Card>
      )}
      <GoBack path={path} name={branding.name} flow="manage" look="main" />
    </>
  )
}

function Ids({ ids, branding, path }: Props & { ids: readonly string[] }) {
  const list = useStepFocus<HTMLUListElement>()
  return (
    <ul
      ref={list}
      tabIndex={-1}
      aria-label={texts.titles.manage}
      className="grid gap-4 outline-none"
    >
      {ids.map((id) => (
        <li key={id}>
          <OwnedId id={id} branding={branding} path={path} />
        </li>
      ))}
    </ul>
  )
}

function OwnedId({ id, branding, path }: Props & { id: string }) {
  const { data: records, error } = useQuery(recordsQuery(id))
  const { addresses = '', address_json = '' } = useLastVisit() ?? {}
  const hasAddresses = addresses !== '' || address_json !== ''
  const names = [...new Set(records?.map(({ tag }) => nameOf(tag)))]
  const more = names.length - shownAtMost
  return (
    <Card className="flex flex-wrap items-center justify-between gap-4">
      <div className="grid gap-2">
        <EmojiId id={id} />
        <p className="text-soft">
          {records && names.length === 0 ? texts.manage.empty : null}
          {names.slice(0, shownAtMost).join(', ')}
          {more > 0 ? ` ${texts.manage.more(more)}` : null}
        </p>
        <ErrorOf thrown={error} />
      </div>
      <ul className="flex flex-wrap gap-2">
        {hasAddresses ? (
          <li>
            <Link
              to="/partner/$path/manage"
              params={{ path }}
              search={{ id }}
              className={buttonLook()}
            >
              {texts.manage.review(branding.name)}
              <span className="sr-only">: {spokenNames(id)}</span>
            </Link>
          </li>
        ) : null}
        {placesOf(id).map(([name, href], nth) => (
          <li key={name}>
            <a href={href} className={buttonLook(nth === 0 ? 'second' : 'quiet')}>
              {name}
              <span className="sr-only">: {spokenNames(id)}</span>
            </a>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** The pages for the owner of an id; the partner bar above them leads back. */
const placesOf = (id: string): [string, string][] => {
  const { manage } = texts
  const own = `/account/ids/${encodeURIComponent(id)}`
  return [
    [manage.addresses, own],
    [manage.profile, `${own}/page`],
    [manage.transfer, `/account/transfers?send=${encodeURIComponent(id)}`],
    [manage.page, `/${encodeURIComponent(id)}`],
  ]
}

function nameOf(tag: string): string {
  const info = tagInfo(tagFromNumber(Number.parseInt(tag, 16)))
  return info?.ticker ?? info?.name ?? tag
}
