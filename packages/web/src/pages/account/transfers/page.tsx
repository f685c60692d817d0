import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const TransfersPage = () => <Coming title={accountTexts.frame.sections.transfers} />
