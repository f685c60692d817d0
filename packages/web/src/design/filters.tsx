import { textLengths } from '@emojid/core'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Field, type Option, Select } from './field.tsx'
import { texts } from './texts.ts'

const settledAfterMs = 300

/** The filters above a list. */
export const Filters = ({ label, children }: { label: string; children: ReactNode }) => (
  <search
    aria-label={label}
    className="grid grid-cols-1 gap-4 sm:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))]"
  >
    {children}
  </search>
)

type FieldProps = {
  label: string
  hint?: string
  value: string | undefined
  onChange: (value: string) => void
}

/** Searches after a pause in typing, or on Enter. */
export function SearchField({ label, hint, value = '', onChange }: FieldProps) {
  const [draft, setDraft] = useState(value)
  const [last, setLast] = useState(value)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  // The back button changed the URL: the field follows it.
  if (value !== last) {
    setLast(value)
    if (value !== draft.trim()) setDraft(value)
  }
  const ask = (text: string) => {
    clearTimeout(timer.current)
    if (text.trim() !== value) onChange(text.trim())
  }
  return (
    <Field
      label={label}
      hint={hint}
      type="search"
      {...textLengths.search}
      autoCapitalize="none"
      spellCheck={false}
      value={draft}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text)
        clearTimeout(timer.current)
        timer.current = setTimeout(() => ask(text), settledAfterMs)
      }}
      onKeyDown={({ key }) => key === 'Enter' && ask(draft)}
    />
  )
}

type SelectProps = FieldProps & { options: readonly Option[]; all?: string }

/** A select with an "all" option. */
export const FilterSelect = ({
  options,
  all = texts.list.all,
  value,
  onChange,
  ...rest
}: SelectProps) => (
  <Select
    {...rest}
    options={[{ value: '', text: all }, ...options]}
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

type Props = {
  label: string
  value: string | undefined
  onChange: (value: string) => void
}

/** A date filter. The browser reports no date while one is typed. */
export const FilterDay = ({ label, value, onChange }: Props) => (
  <Field
    label={label}
    type="date"
    min="2000-01-01"
    max="2999-12-31"
    value={value ?? ''}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
