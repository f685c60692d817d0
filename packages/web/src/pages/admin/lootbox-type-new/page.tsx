import { lootboxLimits, textLengths } from '@emojid/core'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { asProblem } from '../../../api/problem.ts'
import { announce } from '../../../design/announcements.ts'
import { Button } from '../../../design/button.tsx'
import { centsOf } from '../../../design/cents.ts'
import { Card, ErrorOf } from '../../../design/feedback.tsx'
import { Field, ReasonField, TextArea, valueIn } from '../../../design/field.tsx'
import { Section } from '../../../design/section.tsx'
import { useAction } from '../../../design/use-action.ts'
import { Waiting } from '../../../design/waiting.tsx'
import { Odds } from '../lootbox-types/odds.tsx'
import { type Draft, type DraftRange, firstDraft, readDraft } from './draft.ts'
import { createLootboxType, type NewLootboxType } from './queries.ts'
import { texts } from './texts.ts'

const leastPrice = 50

export function NewLootboxTypePage() {
  const [draft, setDraft] = useState<Draft>(firstDraft)
  const [price, setPrice] = useState('')
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  const config = readDraft(draft)
  const cents = centsOf(price)
  const isPriceWrong = price.trim() !== '' && (cents === undefined || cents < leastPrice)
  const saving = useAction({
    mutationFn: (body: NewLootboxType) => createLootboxType(body),
    onSuccess: ({ name }) => {
      announce(texts.saved(name))
      return navigate({ to: '/admin/lootboxes/types' })
    },
  })
  const problem = saving.error ? asProblem(saving.error) : undefined
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setAsked(true)
    if (typeof config === 'string' || isPriceWrong) return
    const form = event.currentTarget
    saving.mutate({
      name: valueIn(form, 'name'),
      description: valueIn(form, 'description'),
      config: { ...config, guarantees: [...config.guarantees], weights: [...config.weights] },
      ...(cents === undefined ? {} : { price_in_cents: cents }),
      reason: valueIn(form, 'reason'),
    })
  }
  return (
    <Section title={texts.title} text={texts.text}>
      <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_21rem]">
        <Card>
          <form className="grid gap-4" onSubmit={submit}>
            <Field
              label={texts.name}
              name="name"
              required
              {...textLengths.name}
              problem={problem?.in('name')}
            />
            <TextArea
              label={texts.description}
              hint={texts.descriptionHint}
              name="description"
              {...textLengths.lootboxDescription}
              rows={2}
              problem={problem?.in('description')}
            />
            <Basics draft={draft} change={change} />
            <Ranges
              title={texts.guarantees}
              text={texts.guaranteesText}
              first={texts.count}
              nameOf={texts.guarantee}
              add={texts.addGuarantee}
              ranges={draft.guarantees}
              onChange={(guarantees) => change({ guarantees })}
            />
            <Ranges
              title={texts.weights}
              text={texts.weightsText}
              first={texts.ipr}
              nameOf={texts.weight}
              add={texts.addWeight}
              ranges={draft.weights}
              onChange={(weights) => change({ weights })}
            />
            <Field
              label={texts.price}
              hint={texts.priceHint}
              inputMode="decimal"
              value={price}
              onChange={({ currentTarget }) => setPrice(currentTarget.value)}
              problem={isAsked && isPriceWrong ? texts.priceWrong : undefined}
            />
            <ReasonField />
            <ErrorOf thrown={saving.error} shownBy={['name', 'description']} />
            {saving.isPending ? <Waiting text={texts.saving} /> : null}
            <Button type="submit" className="justify-self-start" isBusy={saving.isPending}>
              {texts.save}
            </Button>
          </form>
        </Card>
        <Card className="grid gap-3 xl:sticky xl:top-4">
          <h2>{texts.odds}</h2>
          {typeof config === 'string' ? (
            <p role="status" className="text-soft">
              {texts.unclear[config]}
            </p>
          ) : (
            <Odds name={texts.title} config={config} price={cents} />
          )}
        </Card>
      </div>
    </Section>
  )
}

type BasicsProps = { draft: Draft; change: (part: Partial<Draft>) => void }

const Basics = ({ draft, change }: BasicsProps) => (
  <>
    <div className="grid grid-cols-3 items-end gap-3">
      <NumberField label={texts.size} value={draft.size} onChange={(size) => change({ size })} />
      <NumberField
        label={texts.minLength}
        value={draft.min_length}
        onChange={(min_length) => change({ min_length })}
      />
      <NumberField
        label={texts.maxLength}
        value={draft.max_length}
        onChange={(max_length) => change({ max_length })}
      />
    </div>
    <fieldset className="grid gap-2">
      <legend className="font-semibold">{texts.base}</legend>
      <div className="grid grid-cols-3 items-end gap-3">
        <NumberField
          label={texts.minScore}
          value={draft.min_base_score}
          onChange={(min_base_score) => change({ min_base_score })}
        />
        <NumberField
          label={texts.maxScore}
          value={draft.max_base_score}
          onChange={(max_base_score) => change({ max_base_score })}
        />
      </div>
    </fieldset>
  </>
)

type Props = {
  title: string
  text: string
  /** The label of the first field. */
  first: string
  nameOf: (nth: number) => string
  add: string
  ranges: readonly DraftRange[]
  onChange: (ranges: DraftRange[]) => void
}

/** Score ranges, each with a count or a chance. */
function Ranges({ title, text, first, nameOf, add, ranges, onChange }: Props) {
  const change = (key: number, part: Partial<DraftRange>) =>
    onChange(ranges.map((one) => (one.key === key ? { ...one, ...part } : one)))
  const next = Math.max(0, ...ranges.map(({ key }) => key)) + 1
  return (
    <div className="grid gap-3 border-t border-hair pt-4">
      <div className="grid gap-1">
        <h2 className="text-lg">{title}</h2>
        <p className="text-sm text-soft">{text}</p>
      </div>
      {ranges.map(({ key, n, min, max }, nth) => (
        <fieldset key={key} className="grid gap-3 rounded-field border border-hair p-3">
          <legend className="px-1 font-semibold">{nameOf(nth + 1)}</legend>
          <div className="grid grid-cols-3 items-end gap-3">
            <NumberField label={first} value={n} onChange={(value) => change(key, { n: value })} />
            <NumberField
              label={texts.minScore}
              value={min}
              onChange={(value) => change(key, { min: value })}
            />
            <NumberField
              label={texts.maxScore}
              value={max}
              onChange={(value) => change(key, { max: value })}
            />
          </div>
          <Button
            look="quiet"
            className="justify-self-start"
            onClick={() => onChange(ranges.filter((one) => one.key !== key))}
          >
            {texts.remove(nameOf(nth + 1))}
          </Button>
        </fieldset>
      ))}
      {ranges.length < lootboxLimits.ranges ? (
        <Button
          look="second"
          className="justify-self-start"
          onClick={() => onChange([...ranges, { key: next, n: '', min: '', max: '' }])}
        >
          {add}
        </Button>
      ) : null}
    </div>
  )
}

type NumberProps = { label: string; value: string; onChange: (value: string) => void }

/** A text input, so that the typed text stays unchanged. */
const NumberField = ({ label, value, onChange }: NumberProps) => (
  <Field
    label={label}
    required
    inputMode="decimal"
    autoComplete="off"
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
)
