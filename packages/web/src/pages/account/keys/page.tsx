import { Section } from '../../../design/section.tsx'
import { texts as accountTexts } from '../texts.ts'
import { ApiKeys } from './api-keys.tsx'
import { Pubkeys } from './pubkeys.tsx'
import { texts } from './texts.ts'
import { Wallets } from './wallets.tsx'

export const KeysPage = () => (
  <Section title={accountTexts.sections.keys} text={texts.text}>
    <ApiKeys />
    <Pubkeys />
    <Wallets />
  </Section>
)
