import type { ReactNode } from 'react'
import { siteLinks } from '../../api/site-links.ts'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.conditions
const { terms, privacy } = siteLinks

/** The operator's terms and privacy page, as far as they are configured. */
export function Conditions() {
  if (terms === '' && privacy === '') return null
  return (
    <p className="text-sm text-soft">
      {terms === '' ? null : (
        <>
          {texts.accept} <NewTab to={terms}>{texts.terms}</NewTab>.{' '}
        </>
      )}
      {privacy === '' ? null : (
        <>
          {texts.readPrivacy} <NewTab to={privacy}>{texts.privacy}</NewTab>.
        </>
      )}
    </p>
  )
}

/** A new tab, so that the held order stays open. */
const NewTab = ({ to, children }: { to: string; children: ReactNode }) => (
  <a href={to} target="_blank" rel="noreferrer" className="text-main underline underline-offset-4">
    {children}
    <span className="sr-only"> {texts.newTab}</span>
  </a>
)
