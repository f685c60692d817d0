import { type RefObject, useLayoutEffect, useRef } from 'react'

const fieldIn = (place: ParentNode, name: string) =>
  place.querySelector<HTMLInputElement>(`input[name="${name}"]`)

/** Takes over what a person typed before the app ran, where they typed it, and the button that they pressed. */
export function useServedForm(
  setEmail: (email: string) => void,
): RefObject<HTMLFormElement | null> {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useLayoutEffect(() => {
    const served = document.querySelector<HTMLElement>('#start[data-view="form"]')
    if (served && form.current) takeOver(served, form.current, setEmail)
  }, [])
  return form
}

function takeOver(served: HTMLElement, form: HTMLFormElement, setEmail: (email: string) => void) {
  const { pressed } = served.dataset
  const focused = document.activeElement instanceof HTMLInputElement && document.activeElement.name
  setEmail(fieldIn(served, 'email')?.value ?? '')
  const password = fieldIn(form, 'password')
  if (password) password.value = fieldIn(served, 'password')?.value ?? ''
  // The form is visible and has the address only after this render.
  setTimeout(() => {
    if (focused) fieldIn(form, focused)?.focus({ preventScroll: true })
    const buttons = [...(form.parentElement?.querySelectorAll('button') ?? [])]
    if (pressed) buttons.find(({ textContent }) => textContent === pressed)?.click()
  })
}
