import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const KeysPage = () => <Coming title={accountTexts.frame.sections.keys} />
