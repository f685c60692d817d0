import type { ReactNode } from 'react'
import { Card } from '../../../design/feedback.tsx'

type Props = { title: string; text?: ReactNode; actions?: ReactNode; children?: ReactNode }

/** One part of what is told about a thing. */
export const Panel = ({ title, text, actions, children }: Props) => (
  <Card className="grid gap-4">
    <PanelHead title={title} text={text} actions={actions} />
    {children}
  </Card>
)

/** The same head over a list, which has a frame of its own. */
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
