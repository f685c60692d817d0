import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { texts } from '../texts/en.ts'
import { useSignedIn } from './use-signed-in.ts'

/** What is around every page. */
export function Frame({ children }: { children: ReactNode }) {
  const isSignedIn = useSignedIn()
  return (
    <div className="mx-auto flex min-h-screen max-w-5xl flex-col px-4">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:m-2 focus:rounded-field focus:bg-card focus:p-3"
      >
        {texts.frame.skip}
      </a>
      <header className="flex items-center justify-between gap-4 py-5">
        <Link to="/" className="text-lg font-bold tracking-tight no-underline">
          {texts.name}
        </Link>
        <nav aria-label={texts.frame.navigation}>
          {isSignedIn ? null : (
            <Link
              to="/sign-in"
              className="font-semibold text-main underline-offset-4 hover:underline"
            >
              {texts.frame.signIn}
            </Link>
          )}
        </nav>
      </header>
      <main id="content" tabIndex={-1} className="flex-1 pb-16 outline-none">
        {children}
      </main>
    </div>
  )
}
