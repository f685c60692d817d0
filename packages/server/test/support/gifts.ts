import type { MailedService } from './people.ts'

/** The link of the latest gift in the mails to an address. */
export function giftLinkTo(service: MailedService, email: string): string {
  const links = service
    .mailsTo(email)
    .flatMap(({ text }) => /^(http:\S+\/gift#[\w-]{43})$/m.exec(text ?? '')?.[1] ?? [])
  const link = links.at(-1)
  if (!link) throw new Error(`No gift link to ${email}`)
  return link
}

export const giftTokenTo = (service: MailedService, email: string): string =>
  giftLinkTo(service, email).split('#')[1] ?? ''
