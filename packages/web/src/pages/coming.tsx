import { Card } from '../design/feedback.tsx'
import { Section } from '../design/section.tsx'
import { texts } from '../texts/en.ts'

/** The place of a page that is still to be made. */
export const Coming = ({ title }: { title: string }) => (
  <Section title={title}>
    <Card>
      <p className="text-soft">{texts.coming}</p>
    </Card>
  </Section>
)
