import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useSyncExternalStore } from 'react'
import { accountQuery, isAdmin } from '../api/account.ts'
import { codeQuestion } from '../api/code-question.ts'
import { session } from '../api/session.ts'
import { cartQuery, goodsOf } from '../api/shop.ts'
import { isApplicationWaiting } from '../api/waiting-application.ts'
import { focusContent } from './focus-content.ts'
import { texts } from './texts.ts'
import { useAction } from './use-action.ts'
import { useSession } from './use-session.ts'
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

const linkLook =
  'inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-field px-2 font-semibold text-main underline-offset-4 hover:underline'

function Header() {
  const state = useSession()
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 py-4">
      <Link to="/" className="inline-flex min-h-11 items-center text-lg font-bold tracking-tight">
        {texts.name}
      </Link>
      <nav
        aria-label={texts.frame.navigation}
        className={`flex min-h-11 min-w-0 items-center gap-1 print:hidden ${state === 'in' ? 'w-full sm:w-auto' : ''}`}
      >
        {state === 'in' ? <SignedIn /> : null}
        {state === 'out' ? (
          <Link to="/sign-in" className={linkLook}>
            {texts.frame.signIn}
          </Link>
        ) : null}
      </nav>
    </header>
  )
}

function SignedIn() {
  const { data: account } = useQuery(accountQuery)
  const { data: cart } = useQuery(cartQuery)
  const signOut = useAction({
    mutationFn: session.end,
    // A reload drops all data of the previous account.
    onSuccess: () => window.location.assign('/'),
  })
  const name = account?.user.email ?? account?.user.alternate_id ?? ''
  const count = cart ? goodsOf(cart).length : 0
  return (
    <>
      <Link
        to="/account"
        title={name}
        className={`${linkLook} mr-auto -ml-2 min-w-0 max-w-64 text-sm sm:ml-0`}
      >
        <span className="sr-only">{texts.frame.account} </span>
        <Person />
        <span className="truncate">{name}</span>
      </Link>
      <NotificationBell unread={account?.unread_notifications ?? 0} />
      {account && isAdmin(account) ? (
        <Link to="/admin" className={linkLook}>
          {texts.frame.admin}
        </Link>
      ) : null}
      <Link to="/cart" className={linkLook}>
        {texts.frame.cart}
        {count > 0 ? (
          <span className="grid min-w-6 place-items-center rounded-full bg-main px-1.5 text-sm text-on-main tabular-nums">
            {count}
            <span className="sr-only"> {texts.frame.items(count)}</span>
          </span>
        ) : null}
      </Link>
      <button type="button" className={linkLook} onClick={() => signOut.mutate()}>
        {texts.frame.signOut}
      </button>
    </>
  )
}

/** Two digits have space; the page has the whole list. */
const shownAtMost = 99

const NotificationBell = ({ unread }: { unread: number }) => (
  <Link to="/account/notifications" className={`${linkLook} relative min-w-11 justify-center`}>
    <span className="sr-only">{texts.frame.notifications}</span>
    <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 shrink-0 fill-current">
      <path d="M10 2a5 5 0 0 0-5 5v3.5L3.5 14h13L15 10.5V7a5 5 0 0 0-5-5zM8 15.5a2 2 0 0 0 4 0z" />
    </svg>
    {unread > 0 ? (
      <span className="absolute top-0.5 right-0 grid min-w-5 place-items-center rounded-full bg-main px-1 text-xs text-on-main tabular-nums">
        <span aria-hidden="true">{unread > shownAtMost ? `${shownAtMost}+` : unread}</span>
        <span className="sr-only">{texts.frame.unread(unread)}</span>
      </span>
    ) : null}
  </Link>
)

const Person = () => (
  <svg aria-hidden="true" viewBox="0 0 20 20" className="size-5 shrink-0 fill-current">
    <circle cx="10" cy="6.5" r="3.5" />
    <path d="M3 17a7 5.5 0 0 1 14 0z" />
  </svg>
)

const CodeDialog = lazy(() => import('./code-dialog.tsx'))
const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'))

/** Prompts for a code or a sign-in on any page. Loaded on the first prompt. */
function CodePrompt() {
  const question = useSyncExternalStore(codeQuestion.subscribe, codeQuestion.current)
  if (!question) return null
  const { proof, settle } = question
  return (
    <Suspense fallback={null}>
      {proof === 'sign_in' ? (
        <SignInDialog settle={settle} />
      ) : (
        <CodeDialog provider={proof.provider} settle={settle} />
      )}
    </Suspense>
  )
}

/** Lets keyboard users skip the repeated parts of a page. */
export const SkipLink = ({ to, children }: { to: string; children: string }) => (
  <a
    href={`#${to}`}
    className="sr-only focus:not-sr-only focus:absolute focus:z-10 focus:m-2 focus:rounded-field focus:bg-card focus:p-3"
  >
    {children}
  </a>
)
