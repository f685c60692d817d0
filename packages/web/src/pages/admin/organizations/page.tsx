import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const OrganizationsPage = () => <Coming title={adminTexts.frame.sections.organizations} />
