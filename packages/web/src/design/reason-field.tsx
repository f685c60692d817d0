import { TextArea } from './text-area.tsx'
import { texts } from './texts.ts'

const unseen = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** What the API takes as a reason. */
const reasonLength = { minLength: 3, maxLength: 500 }

/** Asks why, for the audit log; the form has it under the name `reason`. */
export const ReasonField = () => (
  <TextArea
    label={texts.confirm.reason}
    hint={texts.confirm.reasonHint}
    name="reason"
    required
    // Blanks alone are no reason.
    {...reasonLength}
    onInput={({ currentTarget: area }) =>
      area.setCustomValidity(
        area.value.replaceAll(unseen, '').length < reasonLength.minLength
          ? texts.confirm.reasonShort
          : '',
      )
    }
  />
)
