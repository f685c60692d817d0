import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Draft, withStep } from './draft.ts'

/** By id; they last as long as the page, so that looking into the history loses nothing. */
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()
const nothing: Draft = []

function setDraft(id: string, draft: Draft): void {
  if (draft.length > 0) drafts.set(id, draft)
  else drafts.delete(id)
  for (const watcher of watchers) watcher()
}

/** Beside what is noted already. */
export const addToDraft = (id: string, steps: Draft): void =>
  setDraft(id, steps.reduce(withStep, drafts.get(id) ?? nothing))

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** What somebody wants changed. The browser asks before it throws it away. */
export function useDraft(id: string) {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(id) ?? nothing)
  const hasAny = draft.length > 0
  useEffect(() => {
    if (!hasAny) return
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [hasAny])
  const change = useCallback((next: Draft) => setDraft(id, next), [id])
  return { draft, change }
}
