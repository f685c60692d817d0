import { useSyncExternalStore } from 'react'

const shownForMs = 6_000

let shown = ''
let timer: ReturnType<typeof setTimeout> | undefined
const watchers = new Set<() => void>()

function show(text: string): void {
  shown = text
  for (const watcher of watchers) watcher()
}

/** Tells that something was done, whatever page is shown by then. Problems are told where they are. */
export function say(text: string): void {
  clearTimeout(timer)
  // The same sentence twice is said twice.
  show('')
  setTimeout(() => show(text), 50)
  timer = setTimeout(() => show(''), shownForMs)
}

const subscribe = (watcher: () => void) => {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}

/**
 * Where such sentences appear; it is always there, so that they are read out. Above, where the name of
 * the site is: below would be the buttons of whoever goes on.
 */
export function StatusLine() {
  const text = useSyncExternalStore(subscribe, () => shown)
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
