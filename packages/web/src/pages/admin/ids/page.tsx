import { Section } from '../../../design/section.tsx'
import { IdFinder } from '../parts/id-finder.tsx'
import { texts as adminTexts } from '../texts.ts'
import { texts } from './texts.ts'

/** Finds one id. */
export const IdsPage = () => (
  <Section title={adminTexts.sections.ids} text={texts.text}>
    <IdFinder />
  </Section>
)
