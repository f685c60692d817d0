import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const ApplicationsPage = () => <Coming title={adminTexts.frame.sections.applications} />
