import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const JobsPage = () => <Coming title={adminTexts.frame.sections.jobs} />
