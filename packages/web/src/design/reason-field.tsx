import { TextArea } from './text-area.tsx'
import { texts } from './texts.ts'

const invisiblePattern = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** The limits of the API. */
const reasonLength = { minLength: 3, maxLength: 500 }

/** Asks for a reason for the audit log, in the form field `reason`. */
export const ReasonField = () => (
  <TextArea
    label={texts.confirm.reason}
    hint={texts.confirm.reasonHint}
    name="reason"
    required
    // Spaces alone are not a reason.
    {...reasonLength}
    onInput={({ currentTarget: area }) =>
      area.setCustomValidity(
        area.value.replaceAll(invisiblePattern, '').length < reasonLength.minLength
          ? texts.confirm.reasonShort
          : '',
      )
    }
  />
)
