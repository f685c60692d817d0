import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

type Props = {
  title: string
  text?: ReactNode
  /** What can be done here as a whole: buttons, at the end of the title's line. */
  actions?: ReactNode
  children: ReactNode
}

/** One page of an area: its title, also that of the window, and what it is about. */
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
