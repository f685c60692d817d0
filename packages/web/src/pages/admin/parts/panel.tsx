import type { ReactNode } from 'react'
import { Card } from '../../../design/feedback.tsx'

type Props = { title: string; text?: ReactNode; actions?: ReactNode; children?: ReactNode }

/** A titled panel of a detail page. */
export const Panel = ({ title, text, actions, children }: Props) => (
  <Card className="grid gap-4">
    <PanelHead title={title} text={text} actions={actions} />
    {children}
  </Card>
)

/** A titled list, which has its own frame. */
export const ListPanel = ({ title, text, actions, children }: Props) => (
  <section className="grid gap-3">
    <PanelHead title={title} text={text} actions={actions} />
    {children}
  </section>
)

const PanelHead = ({ title, text, actions }: Omit<Props, 'children'>) => (
  <div className="flex flex-wrap items-start justify-between gap-3">
    <div className="grid min-w-0 gap-1">
      <h2>{title}</h2>
      {text ? <p className="text-soft">{text}</p> : null}
    </div>
    {actions ? <div className="flex flex-wrap gap-3">{actions}</div> : null}
  </div>
)
