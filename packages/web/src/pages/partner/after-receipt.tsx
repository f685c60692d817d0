import { spokenNames } from '@emojid/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { brandingQuery } from '../../api/partners.ts'
import { buttonLook } from '../../design/button.tsx'
import { useVisit } from '../../design/use-visit.ts'
import { texts } from './texts.ts'

/** Continues the partner flow after the purchase of an id. */
export function PartnerStep({ id }: { id: string }) {
  const visit = useVisit()
  const { data: branding } = useQuery(brandingQuery(visit?.path ?? ''))
  if (!visit || !branding) return null
  const hasAddresses = visit.addresses !== '' || visit.address_json !== ''
  const { receipt } = texts
  return (
    <div className="grid justify-items-start gap-3 border-t border-hair pt-4">
      <h2>{receipt.title}</h2>
      <p className="text-soft">
        {hasAddresses ? receipt.addresses(branding.name) : receipt.text(branding.name)}
      </p>
      <Link
        to="/partner/$path"
        params={{ path: visit.path }}
        search={{ id }}
        className={buttonLook()}
      >
        {receipt.goOn}
        <span className="sr-only">: {spokenNames(id)}</span>
      </Link>
    </div>
  )
}
