import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const CodesPage = () => <Coming title={adminTexts.frame.sections.codes} />
