import { adminTexts } from '../../../texts/en-admin.ts'
import { Coming } from '../../coming.tsx'

export const OrderPage = () => <Coming title={adminTexts.frame.titles.order} />
