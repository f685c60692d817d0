import { Section } from '../../../design/section.tsx'
import { accountTexts } from '../../../texts/en-account.ts'
import { Applications } from './applications.tsx'
import { RecoveryWaits } from './recovery-waits.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'

export const SecurityPage = () => (
  <Section title={accountTexts.frame.sections.security} text={accountTexts.security.text}>
    <RecoveryWaits />
    <SecondFactor />
    <Sessions />
    <Applications />
  </Section>
)
