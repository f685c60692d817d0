import type { Branding } from '../../../api/partners.ts'
import type { NewBranding } from './queries.ts'

/** The form state of a branding. */
export type Draft = {
  return_link: string
  logo: string
  logo_small: string
  logo_thumbnail: string
  currencies: string
  requires_email: boolean
}

export const draftOf = (branding: Branding | null): Draft => ({
  return_link: branding?.return_link ?? '',
  logo: branding?.logo ?? '',
  logo_small: branding?.logo_small ?? '',
  logo_thumbnail: branding?.logo_thumbnail ?? '',
  currencies: branding?.currencies.join(', ') ?? '',
  requires_email: branding?.requires_email ?? false,
})

const currenciesOf = (text: string): string[] => [
  ...new Set(text.split(/[\s,;]+/).filter((one) => one !== '')),
]

/** The first text that is neither a ticker nor a tag by its form; the service checks the rest. */
export const wrongCurrency = (text: string): string | undefined =>
  currenciesOf(text).find((one) => !/^[A-Za-z0-9][A-Za-z0-9:._-]{0,31}$/.test(one))

/** Whether it is an https or app link by its form; the service rejects more schemes. */
export const isReturnLink = (text: string): boolean =>
  /^[a-z][a-z0-9+.-]*:\/\/[^\s#]+$/i.test(text.trim()) &&
  !/^(javascript|vbscript|data|file|blob):/i.test(text.trim())

export function brandingOf(draft: Draft): NewBranding {
  const logos = (['logo', 'logo_small', 'logo_thumbnail'] as const).flatMap((size) => {
    const address = draft[size].trim()
    return address === '' ? [] : [[size, address] as const]
  })
  return {
    return_link: draft.return_link.trim(),
    currencies: currenciesOf(draft.currencies),
    requires_email: draft.requires_email,
    ...Object.fromEntries(logos),
  }
}
