import { useState } from 'react'
import type { Flow } from '../../api/partner-visit.ts'
import type { Branding } from '../../api/partners.ts'
import { texts } from './texts.ts'

/** The visible branding of a partner. */
type Brand = Pick<Branding, 'name' | 'logo' | 'logo_small' | 'logo_thumbnail'>

type Props = { branding: Brand; className?: string }

/** The logo of a partner; hidden if it fails to load, since the name stands beside it. */
export function Logo({ branding, className = '' }: Props) {
  const { logo, logo_small, logo_thumbnail } = branding
  const source = logo_small ?? logo ?? logo_thumbnail
  const [broken, setBroken] = useState<string>()
  if (!source || source === broken) return null
  return (
    <img
      src={source}
      alt=""
      referrerPolicy="no-referrer"
      onError={() => setBroken(source)}
      className={`shrink-0 rounded-field bg-white object-contain ${className}`}
    />
  )
}

type TopProps = {
  flow: Flow
  branding: Brand
  /** In a preview, another heading is the first. */
  isPreview?: boolean
}

/** The top of every partner page. */
export function BrandTop({ flow, branding, isPreview = false }: TopProps) {
  const title = texts.titles[flow]
  return (
    <div className="flex items-start gap-4">
      <Logo branding={branding} className="size-12 border border-hair p-1.5 shadow-sm sm:size-16" />
      <div className="grid min-w-0 gap-1.5">
        {isPreview ? (
          <p className="text-balance text-2xl font-bold tracking-tight">{title}</p>
        ) : (
          <h1>{title}</h1>
        )}
        <p className="text-balance text-lg text-soft wrap-anywhere">
          {texts.intros[flow](branding.name)}
        </p>
      </div>
    </div>
  )
}
