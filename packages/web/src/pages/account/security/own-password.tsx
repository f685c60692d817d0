import { Field } from '../../../design/field.tsx'
import { texts as pageTexts } from './texts.ts'

const texts = pageTexts.password

/** A stolen session alone must not lock its owner out. */
export const OwnPassword = ({ problem }: { problem: string | undefined }) => (
  <>
    <p>{texts.text}</p>
    <Field
      className="max-w-xs"
      label={texts.label}
      name="current_password"
      type="password"
      required
      autoComplete="current-password"
      problem={problem}
    />
  </>
)
