import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const OrdersPage = () => <Coming title={adminTexts.frame.sections.orders} />
