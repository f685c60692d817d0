import { useQuery } from '@tanstack/react-query'
import type { Visit } from '../../api/partner-visit.ts'
import { brandingQuery } from '../../api/partners.ts'
import { texts as sharedTexts } from '../texts.ts'
import { Logo } from './brand.tsx'
import { GoBack } from './go-back.tsx'

/** The bar above all pages during a partner visit. */
export default function VisitBar({ visit: { path, flow } }: { visit: Visit }) {
  const { data: branding } = useQuery(brandingQuery(path))
  if (!branding) return null
  const { name } = branding
  return (
    <section
      aria-label={sharedTexts.visitBar.label(name)}
      className="mb-6 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-card border border-hair bg-card px-4 py-2 shadow-sm"
    >
      <Logo branding={branding} className="size-9 p-1" />
      <p className="min-w-0 flex-1 basis-48 font-medium wrap-anywhere">
        {sharedTexts.visitBar[flow](name)}
      </p>
      <GoBack path={path} name={name} flow={flow} look="quiet" />
    </section>
  )
}
