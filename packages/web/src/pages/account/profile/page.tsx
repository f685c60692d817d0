import { useQuery } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import { ErrorOf } from '../../../design/feedback.tsx'
import { Section } from '../../../design/section.tsx'
import { Waiting } from '../../../design/waiting.tsx'
import { texts as accountTexts } from '../texts.ts'
import { DeleteAccount } from './delete-account.tsx'
import { EmailPart } from './email-part.tsx'
import { ExportPart } from './export-part.tsx'
import { NamePart } from './name-part.tsx'
import { PasswordPart } from './password-part.tsx'
import { texts } from './texts.ts'

export function ProfilePage() {
  const { data: account, error } = useQuery(accountQuery)
  return (
    <Section title={accountTexts.sections.profile} text={texts.text}>
      {account ? (
        <>
          <NamePart user={account.user} />
          <EmailPart user={account.user} needsPassword={account.email_needs_password} />
          <PasswordPart user={account.user} hasPassword={account.has_password} />
          <ExportPart />
          <DeleteAccount user={account.user} />
        </>
      ) : error ? (
        <ErrorOf thrown={error} />
      ) : (
        <Waiting />
      )}
    </Section>
  )
}
