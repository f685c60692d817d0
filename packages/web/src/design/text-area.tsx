import type { TextareaHTMLAttributes } from 'react'
import { type FieldTexts, fieldLook, Labelled } from './labelled.tsx'

type Props = TextareaHTMLAttributes<HTMLTextAreaElement> & FieldTexts

export const TextArea = ({ label, hint, problem, className, rows = 3, ...area }: Props) => (
  <Labelled label={label} hint={hint} problem={problem} {...(className ? { className } : {})}>
    {(attributes) => <textarea {...area} {...attributes} rows={rows} className={fieldLook} />}
  </Labelled>
)
