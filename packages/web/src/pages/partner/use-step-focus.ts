import { useEffect, useRef } from 'react'

/** Moves the focus to a new step, because the pressed element is unmounted. */
export function useStepFocus<Node extends HTMLElement>() {
  const place = useRef<Node>(null)
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true })
  }, [])
  return place
}
