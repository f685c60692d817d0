import { Field } from '../../../design/field.tsx'
import { accountTexts } from '../../../texts/en-account.ts'

const texts = accountTexts.security.password

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
