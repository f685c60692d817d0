import { type ReactNode, useId } from 'react'

type Props = {
  title: string
  text?: ReactNode
  /** A state beside the title. */
  badge?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

/** One of several topics on a page. */
export function Part({ title, text, badge, actions, children }: Props) {
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
