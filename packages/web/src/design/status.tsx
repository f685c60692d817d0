import { useSyncExternalStore } from 'react'

const shownForMs = 6_000

let current = ''
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

function show(text: string): void {
  current = text
  for (const watcher of watchers) watcher()
}

/** Announces a success on the current page. Errors appear where they happen. */
export function announce(text: string): void {
  clearTimeout(timer)
  // Announce a repeated sentence again.
  show('')
  setTimeout(() => show(text), 50)
  timer = setTimeout(() => show(''), shownForMs)
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/**
 * The live region for announcements. Always mounted, so that screen readers notice changes. It sits at
 * the top, because the bottom holds the buttons of the next step.
 */
export function StatusLine() {
  const text = useSyncExternalStore(subscribe, () => current)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-4 top-2 z-20 grid justify-items-center"
    >
      {text ? (
        <p className="rounded-field border border-hair bg-good-ground px-5 py-3 font-medium text-good shadow-lg">
          {text}
        </p>
      ) : null}
    </div>
  )
}
