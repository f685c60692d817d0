import { Outlet } from '@tanstack/react-router'
import { type SectionLink, SectionNav } from './section-nav.tsx'
import { SkipLink } from './skip-link.tsx'
import { StatusLine } from './status.tsx'
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
