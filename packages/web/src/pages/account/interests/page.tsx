import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const InterestsPage = () => <Coming title={accountTexts.frame.sections.interests} />
