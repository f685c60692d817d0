import { type FormEvent, useCallback, useEffect, useState } from 'react'
import { sessionDraft } from '../api/session-draft.ts'

/** A state that survives a reload of this tab while it differs from its first value. */
export function useSessionDraft<Value>(key: string, first: Value) {
  const [value, setValue] = useState(() => sessionDraft.read<Value>(key) ?? first)
  const isChanged = JSON.stringify(value) !== JSON.stringify(first)
  useEffect(() => sessionDraft.write(key, isChanged ? value : undefined), [key, isChanged, value])
  return [value, setValue] as const
}

type FieldValues = Record<string, string>

/**
 * Keeps the named fields of a form over a reload of this tab: spread `form` into it. Never name a
 * password or a code.
 */
export function useFormDraft(key: string, names: readonly string[]) {
  const nameList = names.join(' ')
  const restore = useCallback(
    (form: HTMLFormElement | null) => {
      const values = form ? sessionDraft.read<FieldValues>(key) : undefined
      if (form && values) fillForm(form, nameList.split(' '), values)
    },
    [key, nameList],
  )
  const onInput = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    const entries = [...new FormData(currentTarget)].filter(([name]) => names.includes(name))
    sessionDraft.write(key, Object.fromEntries(entries))
  }
  return {
    form: { ref: restore, onInput },
    clear: () => sessionDraft.write(key, undefined),
  }
}

function fillForm(form: HTMLFormElement, names: readonly string[], values: FieldValues): void {
  for (const field of form.elements) {
    const isInput = field instanceof HTMLInputElement
    if (!isInput && !(field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement)) {
      continue
    }
    if (!names.includes(field.name)) continue
    const value = values[field.name]
    if (isInput && field.type === 'checkbox') field.checked = value !== undefined
    else if (isInput && field.type === 'radio') field.checked = field.value === value
    else field.value = value ?? field.value
  }
}
