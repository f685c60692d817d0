import { Section } from '../../../design/section.tsx'
import { texts as accountTexts } from '../texts.ts'
import { Applications } from './applications.tsx'
import { Passkeys } from './passkeys.tsx'
import { PendingRecovery } from './pending-recovery.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Sessions } from './sessions.tsx'
import { texts } from './texts.ts'

export const SecurityPage = () => (
  <Section title={accountTexts.sections.security} text={texts.text}>
    <PendingRecovery />
    <SecondFactor />
    <Passkeys />
    <Sessions />
    <Applications />
  </Section>
)
