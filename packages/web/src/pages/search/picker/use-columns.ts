import { type RefObject, useLayoutEffect, useState } from 'react'

/** The number of cells of this width that fit into an element, updated on resize. */
export function useColumns(place: RefObject<HTMLElement | null>, cell: number): number {
  const [columns, setColumns] = useState(8)
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setColumns(Math.max(4, Math.floor(element.clientWidth / cell)))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [place, cell])
  return columns
}
