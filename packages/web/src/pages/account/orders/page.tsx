import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const OrdersPage = () => <Coming title={accountTexts.frame.sections.orders} />
