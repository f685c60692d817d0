import { addresses } from './addresses.ts'
import { browserNotes } from './browser-notes.ts'

const mark = 'application'
const notes = browserNotes('waiting-application')
const watchers = new Set<() => void>()

/** The authorization site sends people here to get an id; its own cookie holds the request. */
function readArrival(): void {
  const address = new URL(window.location.href)
  if (address.searchParams.get('for') !== mark) return
  address.searchParams.delete('for')
  window.history.replaceState(window.history.state, '', address)
  notes.note(mark)
}

readArrival()

/** An application waits at the authorization site for the id of this person. */
export const waitingApplication = {
  /** For `useSyncExternalStore`. */
  subscribe(watcher: () => void) {
    watchers.add(watcher)
    return () => void watchers.delete(watcher)
  },
  isWaiting: (): boolean => notes.has(mark),
  forget(): void {
    notes.remove(mark)
    for (const watcher of watchers) watcher()
  },
  url: `${addresses.auth}/authorize/resume`,
}
