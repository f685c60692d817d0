import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { type Draft, withStep } from './draft.ts'

/** By id. In memory, so that a visit to the history loses nothing. */
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()
const emptyDraft: Draft = []

function setDraft(id: string, draft: Draft): void {
  if (draft.length > 0) drafts.set(id, draft)
  else drafts.delete(id)
  for (const watcher of watchers) watcher()
}

/** Adds steps to the existing draft. */
export const addToDraft = (id: string, steps: Draft): void =>
  setDraft(id, steps.reduce(withStep, drafts.get(id) ?? emptyDraft))

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** The unsaved changes of an id. The browser warns before it drops them. */
export function useDraft(id: string) {
  const draft = useSyncExternalStore(subscribe, () => drafts.get(id) ?? emptyDraft)
  const hasSteps = draft.length > 0
  useEffect(() => {
    if (!hasSteps) return
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [hasSteps])
  const change = useCallback((next: Draft) => setDraft(id, next), [id])
  return { draft, change }
}
