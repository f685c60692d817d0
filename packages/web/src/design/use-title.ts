import { useEffect } from 'react'
import { texts } from './texts.ts'

/** The name of the window while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${texts.name}`
    return () => {
      document.title = texts.name
    }
  }, [title])
}
