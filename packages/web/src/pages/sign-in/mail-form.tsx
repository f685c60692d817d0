import { useSignInSearch } from './address.ts'
import { OtherFormLink, type SignInForm } from './form-parts.tsx'
import { LinkRequest } from './link-request.tsx'
import { texts } from './texts.ts'

type Props = SignInForm & { kind: 'link' | 'reset' }

/** Signs in by emailed link. */
export function MailForm({ kind, email, setEmail }: Props) {
  const { next } = useSignInSearch()
  return (
    <>
      <LinkRequest kind={kind} next={next} email={email} setEmail={setEmail} />
      <p className="border-t border-hair pt-3">
        <OtherFormLink view={undefined}>{texts.usePassword}</OtherFormLink>
      </p>
    </>
  )
}
