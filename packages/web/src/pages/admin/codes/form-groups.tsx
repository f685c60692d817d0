import { MAX_EMOJIS, shapeNames, textLengths } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Problem } from '../../../api/problem.ts'
import { Checkbox } from '../../../design/choice.tsx'
import { Field, optionsOf, Select } from '../../../design/field.tsx'
import type { Draft } from './draft.ts'
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
      {...textLengths.name}
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
  const isListed = organizations.some(({ id }) => id === draft.organization_id)
  const options = [
    { value: '', text: texts.everybody },
    ...organizations.map(({ id, name }) => ({ value: id, text: name })),
    ...(draft.organization_id && !isListed
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

const NumberField = ({ isRequired, onChange, step = 1, ...rest }: NumberProps) => (
  <Field
    {...rest}
    type="number"
    inputMode={step < 1 ? 'decimal' : 'numeric'}
    step={step}
    required={isRequired ?? false}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)

const limits = [
  { name: 'min_length', label: texts.minLength, hint: texts.lengthHint, max: MAX_EMOJIS },
  { name: 'max_length', label: texts.maxLength, hint: texts.lengthHint, max: MAX_EMOJIS },
  { name: 'min_score', label: texts.minScore, hint: texts.scoreHint, max: 100 },
  { name: 'max_score', label: texts.maxScore, hint: texts.scoreHint, max: 100 },
] as const

/** The ids that a code applies to. */
export function CodeIds({ draft, set, problem }: FormPart) {
  return (
    <Group {...texts.groups.ids}>
      {limits.map(({ name, ...field }) => (
        <NumberField
          key={name}
          {...field}
          min={1}
          value={draft[name]}
          onChange={(value) => set({ [name]: value })}
        />
      ))}
      <fieldset className="min-w-0 sm:col-span-2">
        <legend className="font-semibold">{texts.shapes}</legend>
        <div className="grid gap-x-6 sm:grid-cols-2 lg:grid-cols-3">
          {shapeNames.map((shape) => (
            <Checkbox
              key={shape}
              label={shape}
              checked={draft.shapes.includes(shape)}
              onChange={({ currentTarget }) =>
                set({
                  shapes: currentTarget.checked
                    ? [...draft.shapes, shape]
                    : draft.shapes.filter((one) => one !== shape),
                })
              }
            />
          ))}
        </div>
      </fieldset>
      <Field
        label={texts.emojis}
        hint={texts.emojisHint}
        className="sm:col-span-2"
        autoComplete="off"
        value={draft.emojis}
        problem={problem?.in('pattern')}
        onChange={({ currentTarget }) => set({ emojis: currentTarget.value })}
      />
    </Group>
  )
}

/** The props of every form group. */
export type FormPart = {
  draft: Draft
  /** The initial values. */
  start: Draft
  set: (change: Partial<Draft>) => void
  isNew: boolean
  problem: Problem | undefined
}

type GroupProps = { title: string; text: string; children: ReactNode }

/** A group of fields with a title and help. */
const Group = ({ title, text, children }: GroupProps) => (
  <fieldset className="min-w-0 rounded-card border border-hair bg-card p-5 shadow-sm sm:p-6">
    <legend className="float-left mb-1 w-full text-xl font-bold tracking-tight">{title}</legend>
    <div className="clear-both grid gap-4 sm:grid-cols-2">
      <p className="text-soft sm:col-span-2">{text}</p>
      {children}
    </div>
  </fieldset>
)
