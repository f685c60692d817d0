import { addresses } from '../../../api/addresses.ts'
import type { Organization } from '../../../api/admin-organizations.ts'
import { CopyButton } from '../../../design/copy-button.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.links
const flows = [
  { name: texts.create, end: '' },
  { name: texts.connect, end: '/link-email' },
  { name: texts.manage, end: '/manage' },
]

type Props = { organization: Organization; isOpen: boolean }

/** The partner URLs, to copy. */
export const PartnerLinks = ({ organization: { id, partner_path }, isOpen }: Props) => (
  <>
    <p className={isOpen ? 'text-soft' : 'font-medium text-wrong'}>
      {isOpen ? texts.text : texts.none}
    </p>
    <ul className="grid gap-3">
      {flows.map(({ name, end }) => {
        const address = `${addresses.web}/partner/${partner_path ?? id}${end}`
        return (
          <li key={end} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <span className="grid min-w-0">
              <span className="font-semibold">{name}</span>
              <a href={address} className="wrap-anywhere text-main underline underline-offset-4">
                {address}
              </a>
            </span>
            <CopyButton text={address} label={texts.copy} of={name} />
          </li>
        )
      })}
    </ul>
  </>
)
