import type { ReactNode } from 'react'
import { Card } from '../../design/feedback.tsx'

type Props = { title: string; text?: string; children: ReactNode }

/** One part of a page about one thing. */
export const Part = ({ title, text, children }: Props) => (
  <Card className="grid gap-4">
    <div className="grid gap-1">
      <h2>{title}</h2>
      {text ? <p className="text-soft">{text}</p> : null}
    </div>
    {children}
  </Card>
)
