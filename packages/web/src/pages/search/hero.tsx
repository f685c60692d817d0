import { useLayoutEffect, useRef } from 'react'
import { placePart, watchDemo } from './served-parts.ts'

/** The title, one sentence and the three steps, which the server writes. */
export function Hero() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (place.current) placePart('hero', place.current)
  }, [])
  return <div ref={place} className="min-h-48" />
}

/** The demonstration, the costs and the audiences, which the server writes. */
export function Landing() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!place.current) return
    placePart('landing', place.current)
    return watchDemo(place.current)
  }, [])
  return <div ref={place} />
}
