import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const ProfilePage = () => <Coming title={accountTexts.frame.sections.profile} />
