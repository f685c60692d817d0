import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const OrganizationPage = () => <Coming title={adminTexts.frame.titles.organization} />
