import { accountTexts } from '../../../texts/en-account.ts'
import { Coming } from '../../coming.tsx'

export const PaymentMethodsPage = () => (
  <Coming title={accountTexts.frame.sections.paymentMethods} />
)
