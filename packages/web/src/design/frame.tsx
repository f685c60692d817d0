import { useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { texts } from '../texts/en.ts'
import { CodePrompt } from './code-prompt.tsx'
import { Header } from './header.tsx'
import { useVisit } from './use-visit.ts'

const VisitBar = lazy(() => import('../pages/partner/visit-bar.tsx'))

/** What is around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const path = useLocation({ select: ({ pathname }) => pathname })
  const visit = useVisit()
  const content = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    // Another page begins at its beginning, also for who does not see it.
    if (shown.current !== path) content.current?.focus({ preventScroll: true })
    shown.current = path
  }, [path])
  return (
    <div className="mx-auto flex min-h-screen max-w-5xl flex-col px-4">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:m-2 focus:rounded-field focus:bg-card focus:p-3"
      >
        {texts.frame.skip}
      </a>
      <Header />
      {visit && !path.startsWith('/partner/') ? (
        <Suspense fallback={null}>
          <VisitBar visit={visit} />
        </Suspense>
      ) : null}
      <main ref={content} id="content" tabIndex={-1} className="flex-1 pb-16 outline-none">
        {children}
      </main>
      <CodePrompt />
    </div>
  )
}
