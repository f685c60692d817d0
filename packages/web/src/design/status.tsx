import { useSyncExternalStore } from 'react'
import { announcements, watchAnnouncements } from './announcements.ts'

/**
 * The live region for announcements. Always mounted, so that screen readers notice changes. It sits at
 * the top, because the bottom holds the buttons of the next step.
 */
export function StatusLine() {
  const shown = useSyncExternalStore(watchAnnouncements, announcements)
  return (
    <div
      role="status"
      // A screen reader reads only the new announcement.
      aria-atomic={false}
      className="pointer-events-none fixed inset-x-4 top-2 z-20 grid justify-items-center gap-2"
    >
      {shown.map(({ key, text }) => (
        <p
          key={key}
          className="rounded-field border border-hair bg-good-ground px-5 py-3 font-medium text-good shadow-lg"
        >
          {text}
        </p>
      ))}
    </div>
  )
}
