import { useEffect } from 'react'
import { texts } from './texts.ts'

/** Sets the window title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.name}`
    return () => {
      document.title = texts.name
    }
  }, [title])
}
