import { type ReactNode, useId } from 'react'
import { asProblem } from '../api/problem.ts'
import { Card, ErrorOf } from './feedback.tsx'
import { useTitle } from './use-title.ts'
import { Waiting } from './waiting.tsx'

type Props = {
  title: string
  text?: ReactNode
  /** Buttons for the whole page, at the end of the title line. */
  actions?: ReactNode
  children: ReactNode
}

/** A page of an area with its title and introduction. */
export function Section({ title, text, actions, children }: Props) {
  useTitle(title)
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="grid min-w-0 gap-1.5">
          <h1 className="wrap-anywhere">{title}</h1>
          {text ? <p className="text-soft">{text}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap gap-3">{actions}</div> : null}
      </div>
      {children}
    </div>
  )
}

type PartProps = {
  title: string
  text?: ReactNode
  /** A state beside the title. */
  badge?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** One of several topics on a page. */
export function Part({ title, text, badge, actions, children }: PartProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid min-w-0 gap-4 rounded-card border border-hair bg-card p-5 shadow-sm sm:p-6"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 md:flex-nowrap">
        <div className="grid min-w-0 max-w-prose gap-1.5">
          <div className="flex flex-wrap items-center gap-3">
            <h2 id={id}>{title}</h2>
            {badge}
          </div>
          {text ? <p className="text-soft">{text}</p> : null}
        </div>
        {actions ? <div className="flex flex-wrap gap-3 md:shrink-0">{actions}</div> : null}
      </div>
      {children}
    </section>
  )
}

type DetailFallbackProps = {
  error: unknown
  /** For pages without another title. */
  title?: string
  /** Shown if the thing does not exist. */
  text: string
  /** A link to the list, unless the page has one already. */
  back?: ReactNode
}

/** Replaces a detail page while it loads, or when it does not exist. */
export function DetailFallback({ error, title, text, back }: DetailFallbackProps) {
  if (!error) return <Waiting />
  const isMissing = [400, 404].includes(asProblem(error).status)
  if (!isMissing && !title) return <ErrorOf thrown={error} />
  return (
    <Card className="grid justify-items-start gap-4">
      {title ? <h1>{title}</h1> : null}
      {isMissing ? <p>{text}</p> : <ErrorOf thrown={error} />}
      {back}
    </Card>
  )
}
