import { paymentAddresses, readProfile, spokenNames, type Tag } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { accountQuery } from '../../../api/account.ts'
import { type StoredData, storeQuery } from '../../../api/id-store.ts'
import { omitEmpty } from '../../../api/omit-empty.ts'
import { ownIdPageQuery } from '../../../api/own-ids.ts'
import { recordsQuery } from '../../../api/records.ts'
import { sharedIds } from '../../../api/shared-ids.ts'
import { Badge } from '../../../design/badge.tsx'
import { buttonLook } from '../../../design/button.tsx'
import type { Column } from '../../../design/data-table.tsx'
import { When } from '../../../design/date.tsx'
import { EmojiId } from '../../../design/emoji-id.tsx'
import { Card } from '../../../design/feedback.tsx'
import { Filters, SearchField } from '../../../design/filters.tsx'
import { useList } from '../../../design/list-search.ts'
import { ListPage } from '../../../design/paged-table.tsx'
import { isFuture } from '../../../time.ts'
import { texts as accountTexts } from '../texts.ts'
import { texts } from './texts.ts'

export function IdsPage() {
  const { page, filters, field } = useList({ q: 'text' })
  const answer = useQuery(ownIdPageQuery({ page, q: filters.q }))
  const { data } = answer
  const hasNone = data?.paging.total === 0 && !filters.q
  const [first] = page === 0 && !filters.q ? (data?.data ?? []) : []
  return (
    <div className="grid gap-5">
      <ListPage
        title={accountTexts.sections.ids}
        filters={
          <Filters label={texts.filters}>
            <SearchField label={texts.search} hint={texts.searchHint} {...field('q')} />
          </Filters>
        }
        answer={answer}
        csv={{ path: '/account/emoji_ids/export', name: 'emoji-ids', filters: omitEmpty(filters) }}
        texts={texts}
        columns={columns}
        keyOf={(row) => row.canonical_format}
        empty={filters.q ? texts.notFound : <NoIds />}
        hasNone={hasNone}
      />
      {first && !first.suspended_at ? <Checklist id={first.emoji_id} /> : null}
    </div>
  )
}

const NoIds = () => (
  <>
    <p className="text-soft">{texts.none}</p>
    <Link to="/" className={buttonLook()}>
      {texts.get}
    </Link>
  </>
)

type Row = {
  emoji_id: string
  came_by: 'bought' | 'given' | 'received'
  since: string
  blocked_until: string | null
  signed_until: string | null
  minted: boolean
  frozen_at?: string | null
  suspended_at?: string | null
}

const columns: Column<Row>[] = [
  { title: texts.columns.id, show: (row) => <Id {...row} /> },
  {
    title: texts.columns.since,
    show: ({ came_by, since }) => (
      <>
        <span className="text-soft">{texts.cameBy[came_by]}</span> <When at={since} />
      </>
    ),
  },
  {
    title: texts.columns.actions,
    isAtEnd: true,
    isAction: true,
    show: ({ emoji_id }) => <Actions id={emoji_id} />,
  },
]

const Id = ({ emoji_id, blocked_until, signed_until, minted, frozen_at, suspended_at }: Row) => (
  <span className="grid justify-items-start gap-1.5">
    <EmojiId id={emoji_id} />
    <span aria-hidden="true" className="text-sm text-soft">
      {spokenNames(emoji_id)}
    </span>
    {minted || frozen_at || suspended_at || isFuture(blocked_until) || isFuture(signed_until) ? (
      <span className="flex flex-wrap gap-2">
        {minted ? <Badge>{texts.minted}</Badge> : null}
        {frozen_at ? <Badge tone="wrong">{texts.frozen}</Badge> : null}
        {suspended_at ? <Badge tone="wrong">{texts.suspended}</Badge> : null}
        {isFuture(blocked_until) ? <Badge>{texts.blocked}</Badge> : null}
        {isFuture(signed_until) ? <Badge>{texts.signed}</Badge> : null}
      </span>
    ) : null}
    {frozen_at ? <span className="text-sm text-soft">{accountTexts.frozenText}</span> : null}
    {suspended_at ? <span className="text-sm text-soft">{accountTexts.suspendedText}</span> : null}
    {isFuture(blocked_until) ? (
      <span className="text-sm text-soft">
        {texts.blockedText} <When at={blocked_until} isExact />
      </span>
    ) : null}
    {isFuture(signed_until) ? (
      <span className="text-sm text-soft">
        {accountTexts.signedText} <When at={signed_until} isExact />
      </span>
    ) : null}
  </span>
)

function Actions({ id }: { id: string }) {
  const named = <span className="sr-only">: {spokenNames(id)}</span>
  return (
    <span className="flex gap-2 md:justify-end">
      <Link to="/account/ids/$id" params={{ id }} className={buttonLook('second')}>
        {texts.manage}
        {named}
      </Link>
      <a href={`/${encodeURIComponent(id)}`} className={buttonLook('quiet')}>
        {texts.page}
        {named}
      </a>
    </span>
  )
}

const { checklist: checklistTexts } = texts

/** A profile with a name, text, picture or link. */
const hasContent = ({ SvcPageData, SvcLinkData }: StoredData): boolean => {
  const { title, text, avatar, links } = readProfile([], SvcPageData.data, SvcLinkData.data)
  return Boolean(title || text || avatar || links.length > 0)
}

/** The first steps of an owner, until all are done. */
function Checklist({ id }: { id: string }) {
  const { data: account } = useQuery(accountQuery)
  const { data: records } = useQuery(recordsQuery(id))
  const { data: store } = useQuery(storeQuery(id))
  if (!account || !records || !store) return null
  const { user } = account
  const tagged = records.map((record) => ({ ...record, tag: record.tag as Tag }))
  const params = { id }
  const steps = [
    {
      text: checklistTexts.confirm,
      isDone: Boolean(user.email_verified_at),
      link: linkOptions({ to: '/account/profile' }),
    },
    {
      text: checklistTexts.address,
      isDone: Object.keys(paymentAddresses(tagged)).length > 0,
      link: linkOptions({ to: '/account/ids/$id', params }),
    },
    {
      text: checklistTexts.page,
      isDone: hasContent(store),
      link: linkOptions({ to: '/account/ids/$id/page', params }),
    },
    {
      text: checklistTexts.share,
      isDone: sharedIds.hasAny(),
      link: linkOptions({ to: '/account/ids/$id/share', params }),
    },
    {
      text: checklistTexts.secondFactor,
      isDone: (user.two_factor_auth ?? []).length > 0,
      link: linkOptions({ to: '/account/security' }),
    },
  ]
  const doneCount = steps.filter(({ isDone }) => isDone).length
  if (doneCount === steps.length) return null
  return (
    <Card className="grid gap-3">
      <h2>{checklistTexts.title(doneCount, steps.length)}</h2>
      <ol className="grid gap-1">
        {steps.map(({ text, isDone, link }) => (
          <li key={text} className="flex min-h-11 items-center gap-3">
            <span
              aria-hidden="true"
              className={`grid size-6 shrink-0 place-items-center rounded-full text-sm ${isDone ? 'bg-good-ground text-good' : 'border border-line'}`}
            >
              {isDone ? '✓' : ''}
            </span>
            {isDone ? (
              <span className="text-soft">
                {text} <span className="sr-only">{checklistTexts.done}</span>
              </span>
            ) : (
              <Link {...link} className="font-medium text-main underline underline-offset-4">
                {text}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </Card>
  )
}
