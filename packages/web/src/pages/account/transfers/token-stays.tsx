import { Checkbox } from '../../../design/choice.tsx'
import { Alert } from '../../../design/feedback.tsx'
import { texts } from './texts.ts'

/** The recipient of a minted id confirms that its token does not come along. */
export const TokenStays = () => (
  <div className="grid gap-2">
    <Alert>{texts.token.stays}</Alert>
    <Checkbox name="without_token" required label={texts.token.confirm} />
  </div>
)
