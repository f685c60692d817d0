import { useState } from 'react'
import type { Flow } from '../../../api/partner-visit.ts'
import { BrandTop, Logo } from '../../partner/brand.tsx'
import { useSettled } from '../../search/use-settled.ts'
import { texts as sharedTexts } from '../../texts.ts'
import type { NewBranding } from './queries.ts'
import { texts as pageTexts, brandingTexts as texts } from './texts.ts'

const { links } = pageTexts
const flows = [
  { flow: 'create', name: links.create },
  { flow: 'connect', name: links.connect },
  { flow: 'manage', name: links.manage },
] as const

type Props = { name: string; branding: NewBranding }

/** A preview made of the components of the partner pages. */
export function BrandingPreview({ name, branding }: Props) {
  const [flow, setFlow] = useState<Flow>('create')
  const { return_link } = branding
  const brand = {
    name,
    logo: usePicture(branding.logo),
    logo_small: usePicture(branding.logo_small),
    logo_thumbnail: usePicture(branding.logo_thumbnail),
  }
  return (
    <section aria-label={texts.preview} className="grid gap-4 rounded-card bg-ground p-4">
      <div className="grid gap-1">
        <h3 className="font-semibold">{texts.preview}</h3>
        <p className="text-sm text-soft">{texts.previewText}</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {flows.map((one) => (
          <button
            key={one.flow}
            type="button"
            aria-pressed={flow === one.flow}
            onClick={() => setFlow(one.flow)}
            className="min-h-9 rounded-full border border-line px-3 text-sm font-medium aria-pressed:border-main aria-pressed:bg-main aria-pressed:text-on-main"
          >
            {one.name}
          </button>
        ))}
      </div>
      <div className="rounded-card border border-hair bg-card p-4">
        <BrandTop flow={flow} branding={brand} isPreview />
      </div>
      <p className="text-sm text-soft">{texts.bar}</p>
      <div className="flex items-center gap-3 rounded-card border border-hair bg-card px-4 py-2">
        <Logo branding={brand} className="size-9 p-1" />
        <p className="min-w-0 font-medium wrap-anywhere">{sharedTexts.visitBar[flow](name)}</p>
      </div>
      <dl className="grid gap-2 text-sm">
        <div>
          <dt className="text-soft">{texts.back}</dt>
          <dd className="font-medium wrap-anywhere">{return_link || texts.noLink}</dd>
        </div>
        <div>
          <dt className="text-soft">{texts.offers}</dt>
          <dd className="font-medium wrap-anywhere">
            {branding.currencies.join(', ') || texts.everyCurrency}
          </dd>
        </div>
      </dl>
    </section>
  )
}

/** Loads the picture after a pause in typing, not for each partial URL. */
function usePicture(address = ''): string | null {
  const settledAddress = useSettled(address, 600)
  return /^https?:\/\/[^/]/i.test(settledAddress) ? settledAddress : null
}
