import { siteLinks } from '../api/addresses.ts'
import { texts } from './texts.ts'

const names = ['terms', 'privacy', 'imprint', 'support'] as const
const links = names.filter((name) => siteLinks[name] !== '')

/** Links to the operator's own pages, as far as they are configured. */
export const Footer = () =>
  links.length === 0 ? null : (
    <footer className="border-t border-hair py-6">
      <nav aria-label={texts.frame.about} className="flex flex-wrap justify-center gap-x-6 gap-y-2">
        {links.map((name) => (
          <a
            key={name}
            href={siteLinks[name]}
            className="min-h-6 text-soft underline underline-offset-4"
          >
            {texts.frame.links[name]}
          </a>
        ))}
      </nav>
    </footer>
  )
