import { siteLinks } from '../api/site-links.ts'
import { messages } from '../language.ts'

const texts = messages({
  en: {
    about: 'About this service',
    links: { terms: 'Terms', privacy: 'Privacy', imprint: 'Imprint', support: 'Support' },
  },
})

const names = ['terms', 'privacy', 'imprint', 'support'] as const
const links = names.filter((name) => siteLinks[name] !== '')

/** Links to the operator's own pages, as far as they are configured. */
export default function Footer() {
  return (
    <footer className="border-t border-hair py-6">
      <nav aria-label={texts.about} className="flex flex-wrap justify-center gap-x-6 gap-y-2">
        {links.map((name) => (
          <a
            key={name}
            href={siteLinks[name]}
            className="min-h-6 text-soft underline underline-offset-4"
          >
            {texts.links[name]}
          </a>
        ))}
      </nav>
    </footer>
  )
}
