import { type RefObject, useLayoutEffect, useRef } from 'react'
import { onTakeOver } from '../../design/served-view.ts'

const fieldIn = (place: ParentNode, name: string) =>
  place.querySelector<HTMLInputElement>(`input[name="${name}"]`)

/** Takes over what a person typed before the app ran. */
export function useServedForm(
  setEmail: (email: string) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useLayoutEffect(
    () =>
      onTakeOver((served) => {
        const email = fieldIn(served, 'email')?.value
        if (email) setEmail(email)
        const password = form.current && fieldIn(form.current, 'password')
        if (password) password.value = fieldIn(served, 'password')?.value ?? ''
        return undefined
      }),
    [],
  )
  return form
}
