import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const PricesPage = () => <Coming title={adminTexts.frame.sections.prices} />
