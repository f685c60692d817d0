import type { ReactNode } from 'react'
import type { Problem } from '../../../api/problem.ts'
import type { Draft } from './draft.ts'

/** The props of every form group. */
export type FormPart = {
  draft: Draft
  /** The initial values. */
  start: Draft
  set: (change: Partial<Draft>) => void
  isNew: boolean
  problem: Problem | undefined
}

export type GroupProps = { title: string; text: string; children: ReactNode }

/** A group of fields with a title and help. */
export const Group = ({ title, text, children }: GroupProps) => (
  <fieldset className="min-w-0 rounded-card border border-hair bg-card p-5 shadow-sm sm:p-6">
    <legend className="float-left mb-1 w-full text-xl font-bold tracking-tight">{title}</legend>
    <div className="clear-both grid gap-4 sm:grid-cols-2">
      <p className="text-soft sm:col-span-2">{text}</p>
      {children}
    </div>
  </fieldset>
)
