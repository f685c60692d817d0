const shownForMs = 6_000
const shownAtMost = 3

type Announcement = { key: number; text: string }

let shown: readonly Announcement[] = []
let lastKey = 0
const watchers = new Set<() => void>()

function show(announcements: readonly Announcement[]): void {
  shown = announcements.slice(-shownAtMost)
  for (const watcher of watchers) watcher()
}

/**
 * Announces a success on the current page. Errors appear where they happen. Announcements of two
 * actions that end together stay beside each other.
 */
export function announce(text: string): void {
  lastKey += 1
  const key = lastKey
  const listOthers = () => shown.filter((one) => one.text !== text)
  // Announce a repeated sentence again.
  show(listOthers())
  setTimeout(() => show([...listOthers(), { key, text }]), 50)
  setTimeout(() => show(shown.filter((one) => one.key !== key)), shownForMs)
}

export const announcements = () => shown

export function watchAnnouncements(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
