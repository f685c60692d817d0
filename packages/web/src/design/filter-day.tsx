import { Field } from './field.tsx'

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
