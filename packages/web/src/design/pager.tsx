import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { buttonLook } from './button.tsx'
import { focusContent } from './focus-content.ts'
import type { ListSearch } from './list-search.ts'
import { texts } from './texts.ts'

/** The paging members of every list response; pages count from 0. */
export type Paging = { page: number; limit: number; total: number }

const withPage = (page: number) => (before: ListSearch) =>
  ({ ...before, page: page > 1 ? page : undefined }) as never

/** Redirects to the last page if the URL names a page beyond it. */
export function useLastPageRedirect(paging: Paging | undefined): boolean {
  const navigate = useNavigate()
  const last = paging ? Math.max(Math.ceil(paging.total / paging.limit), 1) : undefined
  const isBeyond = paging !== undefined && last !== undefined && paging.page >= last
  useEffect(() => {
    if (isBeyond) void navigate({ to: '.', search: withPage(last), replace: true })
  }, [isBeyond, last, navigate])
  return isBeyond
}

/** The position in a list and links to the neighboring pages. */
export function Pager({ paging, label }: { paging: Paging | undefined; label: string }) {
  const { page, limit, total } = paging ?? { page: 0, limit: 1, total: 0 }
  const pages = Math.ceil(total / limit)
  const first = page * limit + 1
  return (
    <nav aria-label={label} className="flex flex-wrap items-center justify-between gap-3">
      {/* Always rendered, so that screen readers announce a change. An empty list announces itself. */}
      <p role="status" className={total === 0 ? 'sr-only' : 'text-soft tabular-nums'}>
        {total === 0 ? '' : texts.list.range(first, Math.min(first + limit - 1, total), total)}
      </p>
      {pages > 1 || page > 0 ? (
        <div className="flex items-center gap-2">
          <Step to={page} isThere={page > 0} text={texts.list.previous} rel="prev" />
          <span className="px-1 text-sm text-soft tabular-nums">
            {texts.list.page(page + 1, pages)}
          </span>
          <Step to={page + 2} isThere={page + 1 < pages} text={texts.list.next} rel="next" />
        </div>
      ) : null}
    </nav>
  )
}

type StepProps = { to: number; isThere: boolean; text: string; rel: 'prev' | 'next' }

const Step = ({ to, isThere, text, rel }: StepProps) =>
  isThere ? (
    <Link
      to="."
      search={withPage(to)}
      rel={rel}
      onClick={focusContent}
      className={buttonLook('second')}
    >
      {text}
    </Link>
  ) : null
