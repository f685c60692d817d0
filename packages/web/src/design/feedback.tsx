import { type ReactNode, useEffect, useState } from 'react'
import { asProblem } from '../api/problem.ts'
import { texts } from './texts.ts'
import { withArt } from './with-art.tsx'

/** An error and the next step. */
export const Alert = ({ children }: { children: ReactNode }) => (
  <p role="alert" className="rounded-field bg-wrong-ground px-4 py-3 font-medium text-wrong">
    {children}
  </p>
)

type ErrorProps = {
  thrown: unknown
  /** Fields that show their own errors, which are not repeated here. */
  shownBy?: readonly string[]
}

/** The notice about a lost connection leaves as soon as the browser has one again. */
function useGoneWhenOnline(error: unknown): boolean {
  const [gone, setGone] = useState<unknown>()
  useEffect(() => {
    const drop = () => setGone(error)
    addEventListener('online', drop)
    return () => removeEventListener('online', drop)
  }, [error])
  return gone === error
}

export function ErrorOf({ thrown, shownBy = [] }: ErrorProps) {
  const isOnlineAgain = useGoneWhenOnline(thrown)
  if (!thrown) return null
  if (isOnlineAgain && asProblem(thrown).code === 'offline') return null
  const { code, message, fields } = asProblem(thrown)
  const wrong = Object.keys(fields)
  if (wrong.length > 0 && wrong.every((field) => shownBy.includes(field))) return null
  return <Alert>{withArt(texts.problems[code] ?? message)}</Alert>
}

/** A success message. */
export const Notice = ({ children }: { children: ReactNode }) => (
  <p role="status" className="rounded-field bg-good-ground px-4 py-3 font-medium text-good">
    {children}
  </p>
)

export const Card = ({ children, className = '' }: { children: ReactNode; className?: string }) => (
  <section className={`rounded-card border border-hair bg-card p-5 shadow-sm sm:p-6 ${className}`}>
    {children}
  </section>
)
