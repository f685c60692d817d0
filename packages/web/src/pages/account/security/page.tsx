import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const SecurityPage = () => <Coming title={accountTexts.frame.sections.security} />
