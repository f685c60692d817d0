import { shapeNames } from '@emojid/core'
import { Checkbox } from '../../../design/choice.tsx'
import { Field } from '../../../design/field.tsx'
import { type FormPart, Group } from './form-group.tsx'
import { NumberField } from './form-groups.tsx'
import { formTexts as texts } from './texts.ts'

const limits = [
  { name: 'min_length', label: texts.minLength, hint: texts.lengthHint, max: 6 },
  { name: 'max_length', label: texts.maxLength, hint: texts.lengthHint, max: 6 },
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
