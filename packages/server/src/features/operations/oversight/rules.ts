import { refusal } from '../../../platform/errors.ts'

export const unknownOrder = () => refusal('not_found', 'unknown_order', 'There is no such order.')

export const unknownCode = () => refusal('not_found', 'unknown_code', 'There is no such code.')
