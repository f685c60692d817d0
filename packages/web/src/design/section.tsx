import type { ReactNode } from 'react'
import { useTitle } from './use-title.ts'

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
