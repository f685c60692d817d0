import { paymentAddresses, readProfile, type Tag } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { accountQuery } from '../../../api/account.ts'
import { type StoredData, storeQuery } from '../../../api/id-store.ts'
import { recordsQuery } from '../../../api/records.ts'
import { sharedIds } from '../../../api/shared-ids.ts'
import { Card } from '../../../design/feedback.tsx'
import { texts as pageTexts } from './texts.ts'

const { checklist: texts } = pageTexts

/** A profile with a name, text, picture or link. */
const hasContent = ({ SvcPageData, SvcLinkData }: StoredData): boolean => {
  const { title, text, avatar, links } = readProfile([], SvcPageData.data, SvcLinkData.data)
  return Boolean(title || text || avatar || links.length > 0)
}

/** The first steps of an owner, until all are done. */
export function Checklist({ id }: { id: string }) {
  const { data: account } = useQuery(accountQuery)
  const { data: records } = useQuery(recordsQuery(id))
  const { data: store } = useQuery(storeQuery(id))
  if (!account || !records || !store) return null
  const { user } = account
  const tagged = records.map((record) => ({ ...record, tag: record.tag as Tag }))
  const params = { id }
  const steps = [
    {
      text: texts.confirm,
      isDone: Boolean(user.email_verified_at),
      link: linkOptions({ to: '/account/profile' }),
    },
    {
      text: texts.address,
      isDone: Object.keys(paymentAddresses(tagged)).length > 0,
      link: linkOptions({ to: '/account/ids/$id', params }),
    },
    {
      text: texts.page,
      isDone: hasContent(store),
      link: linkOptions({ to: '/account/ids/$id/page', params }),
    },
    {
      text: texts.share,
      isDone: sharedIds.hasAny(),
      link: linkOptions({ to: '/account/ids/$id/share', params }),
    },
    {
      text: texts.secondFactor,
      isDone: (user.two_factor_auth ?? []).length > 0,
      link: linkOptions({ to: '/account/security' }),
    },
  ]
  const doneCount = steps.filter(({ isDone }) => isDone).length
  if (doneCount === steps.length) return null
  return (
    <Card className="grid gap-3">
      <h2>{texts.title(doneCount, steps.length)}</h2>
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
                {text} <span className="sr-only">{texts.done}</span>
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
