import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../../design/choice.tsx'
import { Field } from '../../../design/field.tsx'
import { optionsOf, Select } from '../../../design/select.tsx'
import { type FormPart, Group } from './form-group.tsx'
import { codeTypes, organizationChoicesQuery } from './queries.ts'
import { formTexts as texts } from './texts.ts'

const { groups } = texts
const kinds = optionsOf(codeTypes, texts.kinds)
const offKinds = optionsOf(['percent', 'cents'], texts.offKinds)

export const CodeKind = ({ draft, set, isNew, problem }: FormPart) => (
  <Group {...groups.what}>
    <Field
      label={texts.name}
      required
      maxLength={100}
      value={draft.name}
      problem={problem?.in('name')}
      onChange={({ currentTarget }) => set({ name: currentTarget.value })}
    />
    <Select
      label={texts.kind}
      hint={texts.kindHint[draft.code_type]}
      options={kinds}
      disabled={!isNew}
      value={draft.code_type}
      problem={problem?.in('code_type')}
      onChange={({ currentTarget: { value } }) =>
        set({ code_type: codeTypes.find((one) => one === value) ?? 'Discount' })
      }
    />
    {draft.code_type === 'Discount' ? (
      <Field
        label={texts.typed}
        hint={texts.typedHint}
        required
        pattern="\s*[A-Za-z0-9_\-]{4,64}\s*"
        autoCapitalize="none"
        spellCheck={false}
        value={draft.redemption_code}
        problem={problem?.in('redemption_code')}
        onChange={({ currentTarget }) => set({ redemption_code: currentTarget.value })}
      />
    ) : (
      <Checkbox
        label={texts.legacy}
        hint={texts.legacyHint}
        className="sm:col-span-2"
        checked={draft.legacy_challenge}
        onChange={({ currentTarget }) => set({ legacy_challenge: currentTarget.checked })}
      />
    )}
  </Group>
)

export const CodeDiscount = ({ draft, set, problem }: FormPart) => (
  <Group {...groups.off}>
    <Select
      label={texts.offKind}
      options={offKinds}
      value={draft.off}
      onChange={({ currentTarget }) =>
        set({ off: currentTarget.value === 'cents' ? 'cents' : 'percent' })
      }
    />
    {draft.off === 'percent' ? (
      <NumberField
        label={texts.percent}
        hint={texts.percentHint}
        min={1}
        max={100}
        isRequired
        value={draft.percent}
        problem={problem?.in('discount_as_percentage')}
        onChange={(percent) => set({ percent })}
      />
    ) : (
      <NumberField
        label={texts.amount}
        hint={texts.amountHint}
        isRequired
        min={0.01}
        max={1_000_000}
        step={0.01}
        value={draft.dollars}
        problem={problem?.in('discount_in_cents')}
        onChange={(dollars) => set({ dollars })}
      />
    )}
  </Group>
)

export const CodeUses = ({ draft, set, problem }: FormPart) => (
  <Group {...groups.limits}>
    <NumberField
      label={texts.maxUses}
      hint={texts.maxUsesHint}
      min={1}
      max={1_000_000_000}
      value={draft.max_uses}
      problem={problem?.in('max_uses')}
      onChange={(max_uses) => set({ max_uses })}
    />
    <NumberField
      label={texts.perUser}
      hint={texts.perUserHint}
      min={1}
      max={1_000_000_000}
      value={draft.max_emojis_per_user}
      problem={problem?.in('max_emojis_per_user')}
      onChange={(max_emojis_per_user) => set({ max_emojis_per_user })}
    />
    <Checkbox
      label={texts.combinable}
      hint={texts.combinableHint}
      className="sm:col-span-2"
      checked={draft.combinable}
      onChange={({ currentTarget }) => set({ combinable: currentTarget.checked })}
    />
  </Group>
)

/** A code with an end in the past is useless, unless it had that end before. */
const isPast = (moment: string) => moment !== '' && new Date(moment).getTime() <= Date.now()

export const CodeDates = ({ draft, set, problem, start }: FormPart) => (
  <Group {...groups.time}>
    {(['start_date', 'end_date'] as const).map((name) => (
      <Field
        key={name}
        label={name === 'start_date' ? texts.start : texts.end}
        type="datetime-local"
        min="2000-01-02T00:00"
        max="9999-12-30T00:00"
        value={draft[name]}
        problem={problem?.in(name)}
        onChange={({ currentTarget: field }) => {
          const isOver = name === 'end_date' && field.value !== start.end_date
          field.setCustomValidity(isOver && isPast(field.value) ? texts.endPast : '')
          set({ [name]: field.value })
        }}
      />
    ))}
  </Group>
)

export function CodeAudience({ draft, set, isNew, problem }: FormPart) {
  const { data } = useQuery(organizationChoicesQuery)
  const organizations = data?.data ?? []
  const isThere = organizations.some(({ id }) => id === draft.organization_id)
  const options = [
    { value: '', text: texts.everybody },
    ...organizations.map(({ id, name }) => ({ value: id, text: name })),
    ...(draft.organization_id && !isThere
      ? [{ value: draft.organization_id, text: draft.organization_id }]
      : []),
  ]
  return (
    <Group {...groups.partner}>
      <Select
        label={texts.organization}
        options={options}
        disabled={!isNew}
        value={draft.organization_id}
        problem={problem?.in('organization_id')}
        onChange={({ currentTarget }) => set({ organization_id: currentTarget.value })}
      />
    </Group>
  )
}

type NumberProps = {
  label: string
  hint?: string
  problem?: string | undefined
  min: number
  max: number
  step?: number
  isRequired?: boolean
  value: string
  onChange: (value: string) => void
}

export const NumberField = ({ isRequired, onChange, step = 1, ...rest }: NumberProps) => (
  <Field
    {...rest}
    type="number"
    inputMode={step < 1 ? 'decimal' : 'numeric'}
    step={step}
    required={isRequired ?? false}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
