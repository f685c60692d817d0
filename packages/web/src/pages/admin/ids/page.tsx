import { Section } from '../../../design/section.tsx'
import { IdFinder } from '../parts/id-finder.tsx'
import { texts } from '../texts.ts'

/** Finds one id. */
export const IdsPage = () => (
  <Section title={texts.sections.ids} text={texts.findId}>
    <IdFinder />
  </Section>
)
