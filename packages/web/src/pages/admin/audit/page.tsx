import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const AuditPage = () => <Coming title={adminTexts.frame.sections.audit} />
