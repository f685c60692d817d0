import { type ReactNode, useId } from 'react'
import { withArt } from './with-art.tsx'

export const fieldLook =
  'min-h-11 w-full rounded-field border border-line bg-card px-3 py-2 aria-invalid:border-wrong'

/** The texts of a form field. */
export type FieldTexts = {
  label: string
  hint?: string | undefined
  /** The error and the next step. */
  problem?: string | undefined
}

type Attributes = {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}
type Props = FieldTexts & { className?: string; children: (attributes: Attributes) => ReactNode }

/** Any input with label, hint and error. */
export function FieldFrame({ label, hint, problem, className = '', children }: Props) {
  const id = useId()
  const describedBy = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return (
    <div className={`grid content-start gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      {children({
        id,
        'aria-invalid': problem ? true : undefined,
        'aria-describedby': describedBy || undefined,
      })}
      {hint ? (
        <p id={`${id}-hint`} className="text-sm text-soft">
          {hint}
        </p>
      ) : null}
      {problem ? (
        <p id={`${id}-problem`} role="alert" className="text-sm font-medium text-wrong">
          {withArt(problem)}
        </p>
      ) : null}
    </div>
  )
}
