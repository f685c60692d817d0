import { texts } from './texts.ts'

const names = ['terms', 'privacy', 'imprint', 'support'] as const

/** Pages of the operator that every page and mail links to, as far as they are configured. */
export type SiteLinks = Readonly<Record<(typeof names)[number], string | undefined>>

/** The members of `/.well-known/security.txt` (RFC 9116) that the operator chooses. */
export type SecurityContact = Readonly<{ contact: string; expires: Date; languages: string }>

export const noLinks: SiteLinks = {
  terms: undefined,
  privacy: undefined,
  imprint: undefined,
  support: undefined,
}

/** The configured links with their labels, in the order of display. */
export const listLinks = (links: SiteLinks): { label: string; url: string }[] =>
  names.flatMap((name) => {
    const url = links[name]
    return url === undefined ? [] : { label: texts().links[name], url }
  })
