import { Link, type LinkProps, useLocation } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

export type SectionLink = {
  link: LinkProps
  text: string
  /** Current only for this page, not for pages below it. */
  isExact?: boolean
  /** Pages below this path are part of the section. */
  under?: string
}

type Props = {
  label: string
  sections: readonly SectionLink[]
  /** `side`: a list beside the page on wide screens; `row`: always a row of tabs. */
  look?: 'side' | 'row'
}

const itemLook =
  'inline-flex min-h-11 w-full items-center rounded-field px-4 font-medium whitespace-nowrap text-ink no-underline hover:bg-tint aria-[current]:bg-main aria-[current]:text-on-main'

/** Links to the sections of an area. A long row scrolls; its end fades, also behind the last link. */
export function SectionNav({ label, sections, look = 'side' }: Props) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const list = useRef<HTMLUListElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current link changes with the path
  useEffect(() => {
    const current = list.current?.querySelector<HTMLElement>('[aria-current]')
    if (!list.current || !current) return
    const { offsetLeft, offsetWidth } = current
    list.current.scrollLeft = offsetLeft - (list.current.clientWidth - offsetWidth) / 2
  }, [path])
  return (
    <nav aria-label={label} className="min-w-0">
      <ul
        ref={list}
        className={`relative -mx-4 flex gap-1 overflow-x-auto py-1 pr-12 pl-4 [mask-image:linear-gradient(to_right,#000_calc(100%-3rem),transparent)] sm:-mx-1 sm:pl-1 ${look === 'side' ? 'lg:mx-0 lg:grid lg:overflow-visible lg:p-0 lg:[mask-image:none]' : ''}`}
      >
        {sections.map(({ link, text, isExact = false, under }) => (
          <li key={text} className="shrink-0">
            <Link
              {...link}
              activeOptions={{ exact: isExact, includeSearch: false }}
              aria-current={under && path.startsWith(under) ? 'true' : undefined}
              className={itemLook}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
