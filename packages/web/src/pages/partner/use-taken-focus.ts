import { useEffect, useRef } from 'react'

/** What was pressed to get to a step is gone, and the focus with it: it goes on at the step. */
export function useTakenFocus<Node extends HTMLElement>() {
  const place = useRef<Node>(null)
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [])
  return place
}
