import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const UserPage = () => <Coming title={adminTexts.frame.titles.user} />
