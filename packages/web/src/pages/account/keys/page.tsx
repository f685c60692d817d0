import { Section } from '../../../design/section.tsx'
import { accountTexts } from '../../../texts/en-account.ts'
import { ApiKeys } from './api-keys.tsx'
import { Pubkeys } from './pubkeys.tsx'
import { Wallets } from './wallets.tsx'

export const KeysPage = () => (
  <Section title={accountTexts.frame.sections.keys} text={accountTexts.keys.text}>
    <ApiKeys />
    <Pubkeys />
    <Wallets />
  </Section>
)
