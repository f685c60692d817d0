import { useState } from 'react'
import type { Branding } from '../../api/partners.ts'

type Props = { branding: Branding; className?: string }

/** The sign of a partner; nothing where it cannot be shown, since its name stands beside it. */
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
