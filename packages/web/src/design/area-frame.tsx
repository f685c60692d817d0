import { Outlet } from '@tanstack/react-router'
import { useSyncExternalStore } from 'react'
import { announcements, watchAnnouncements } from './announcements.ts'
import { SkipLink } from './frame.tsx'
import { type SectionLink, SectionNav } from './section-nav.tsx'
import { texts } from './texts.ts'

/** Pages of one area with a navigation beside them, or above them on narrow screens. */
export const AreaFrame = ({
  label,
  sections,
}: {
  label: string
  sections: readonly SectionLink[]
}) => (
  <div className="grid grid-cols-1 gap-6 pt-2 lg:grid-cols-[12rem_minmax(0,1fr)] lg:gap-8">
    <div className="relative min-w-0">
      <SkipLink to="section">{texts.frame.skipSections}</SkipLink>
      <SectionNav label={label} sections={sections} />
    </div>
    <div id="section" tabIndex={-1} className="min-w-0 outline-none">
      <Outlet />
    </div>
    <StatusLine />
  </div>
)

/**
 * The live region for announcements. Always mounted, so that screen readers notice changes. It sits at
 * the top, because the bottom holds the buttons of the next step.
 */
function StatusLine() {
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
