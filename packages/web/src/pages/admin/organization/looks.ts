import type { Branding } from '../../../api/partners.ts'
import type { NewBranding } from './queries.ts'

/** What a partner looks like, as it is typed. */
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

/** The first that can be neither a ticker nor a tag; the service knows which there are. */
export const wrongCurrency = (text: string): string | undefined =>
  currenciesOf(text).find((one) => !/^[A-Za-z0-9][A-Za-z0-9:._-]{0,31}$/.test(one))

/** Whether it can be a page or an app; the service knows more schemes that are neither. */
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
