import { useNavigate } from '@tanstack/react-router'
import { useLayoutEffect, useRef } from 'react'
import { placePart, watchDemo } from './served-parts.ts'

/** The title, one sentence and the three steps, which the server writes. */
export function Hero() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    return place.current ? placePart('hero', place.current) : undefined
  }, [])
  return <div ref={place} className="min-h-48" />
}

/** The first ids, which the server writes with their art: no sheet has to load for them. */
export function Examples({ onChoose }: { onChoose: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const forget = placePart('examples', element)
    const choose = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      const q = new URL(link.href).searchParams.get('q') ?? ''
      void navigate({ to: '/', search: { q } })
      onChoose()
    }
    element.addEventListener('click', choose)
    return () => {
      forget()
      element.removeEventListener('click', choose)
    }
  }, [])
  return <div ref={place} />
}

/** The demonstration, the costs and the audiences, which the server writes. */
export function Landing() {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    if (!place.current) return
    const forget = placePart('landing', place.current)
    const endWatch = watchDemo(place.current)
    return () => {
      forget()
      endWatch()
    }
  }, [])
  return <div ref={place} />
}
