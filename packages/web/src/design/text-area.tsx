import type { TextareaHTMLAttributes } from 'react'
import { FieldFrame, type FieldTexts, fieldLook } from './field-frame.tsx'

type Props = TextareaHTMLAttributes<HTMLTextAreaElement> & FieldTexts

export const TextArea = ({ label, hint, problem, className, rows = 3, ...area }: Props) => (
  <FieldFrame label={label} hint={hint} problem={problem} {...(className ? { className } : {})}>
    {(attributes) => <textarea {...area} {...attributes} rows={rows} className={fieldLook} />}
  </FieldFrame>
)
