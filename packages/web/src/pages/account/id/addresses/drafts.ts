import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { currentAccount } from '../../../../api/personal-data.ts'
import { sessionDraft } from '../../../../api/session-draft.ts'
import { type Draft, withStep } from './draft.ts'

/** The drafts by account and id. Neither a visit to the history nor a reload loses them. */
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()
const emptyDraft: Draft = []

const keyOf = (id: string): string => `${currentAccount()} ${id}`

function setDraft(id: string, draft: Draft): void {
  drafts.set(keyOf(id), draft)
  sessionDraft.write(`addresses ${id}`, draft.length > 0 ? draft : undefined)
  for (const watcher of watchers) watcher()
}

/** The same object on every call, as React requires. */
function draftOf(id: string): Draft {
  const draft = drafts.get(keyOf(id)) ?? sessionDraft.read<Draft>(`addresses ${id}`) ?? emptyDraft
  drafts.set(keyOf(id), draft)
  return draft
}

/** Adds steps to the existing draft. */
export const addToDraft = (id: string, steps: Draft): void =>
  setDraft(id, steps.reduce(withStep, draftOf(id)))

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** The unsaved changes of an id. The browser warns before it drops them, if it could not store them. */
export function useDraft(id: string) {
  const draft = useSyncExternalStore(subscribe, () => draftOf(id))
  const isLosable = draft.length > 0 && !sessionDraft.read(`addresses ${id}`)
  useEffect(() => {
    if (!isLosable) return
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [isLosable])
  const change = useCallback((next: Draft) => setDraft(id, next), [id])
  /** Drops saved steps only: the owner may have added others meanwhile. Returns those. */
  const dropSaved = useCallback(
    (saved: Draft) => {
      const rest = draftOf(id).filter((step) => !saved.includes(step))
      setDraft(id, rest)
      return rest
    },
    [id],
  )
  return { draft, change, dropSaved }
}
