import { useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { isApplicationWaiting } from '../api/waiting-application.ts'
import { CodePrompt } from './code-prompt.tsx'
import { focusContent } from './focus-content.ts'
import { Header } from './header.tsx'
import { SkipLink } from './skip-link.tsx'
import { texts } from './texts.ts'
import { useVisit } from './use-visit.ts'

const Footer = lazy(() => import('./footer.tsx'))
const VisitBar = lazy(() => import('../pages/partner/visit-bar.tsx'))
const WaitingBar = lazy(() => import('../pages/application/waiting-bar.tsx'))

const hasLinks = document.querySelector('meta[name$="-url"]:not([content=""])') !== null

/** Pages of one area share a frame. */
const areaOf = (path: string): string | undefined => path.split('/')[1]

/** The header and footer around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const visit = useVisit()
  const content = useRef<HTMLElement>(null)
  const lastPath = useRef(path)
  useEffect(() => {
    // A new page moves the focus to its start, for screen readers.
    if (areaOf(lastPath.current) === areaOf(path) && lastPath.current !== path) focusContent()
    else if (lastPath.current !== path) content.current?.focus({ preventScroll: true })
    lastPath.current = path
  }, [path])
  return (
    <div className="mx-auto flex min-h-screen max-w-5xl flex-col px-4">
      <SkipLink to="content">{texts.frame.skip}</SkipLink>
      <Header />
      {visit && !path.startsWith('/partner/') ? (
        <Suspense fallback={null}>
          <VisitBar visit={visit} />
        </Suspense>
      ) : null}
      {isApplicationWaiting ? (
        <Suspense fallback={null}>
          <WaitingBar />
        </Suspense>
      ) : null}
      <main ref={content} id="content" tabIndex={-1} className="flex-1 pb-16 outline-none">
        {children}
      </main>
      {/* The start page has its own. */}
      {hasLinks && path !== '/' ? (
        <Suspense fallback={null}>
          <Footer />
        </Suspense>
      ) : null}
      <CodePrompt />
    </div>
  )
}
