import { RecordError } from './record-error.ts'
import { checkOptionalText } from './text.ts'

/** The parts of a crypto record besides its address. */
export type AddressData = {
  address: string
  description: string
  signature: string
  default: boolean
}

const MAX_DESCRIPTION_BYTES = 255
const MAX_SIGNATURE_BYTES = 512

/** Parses `address|description|signature|default`; trailing parts may be missing. Never throws. */
export function parseAddressData(data: string): AddressData {
  const [address = '', description = '', signature = '', flag = ''] = data.split('|')
  return { address, description, signature, default: flag === 't' }
}

export function buildAddressData(parts: Partial<AddressData> & { address: string }): string {
  const { address, description = '', signature = '' } = parts
  const flag = parts.default ? 't' : ''
  return [address, description, signature, flag].join('|').replace(/\|+$/, '')
}

/** Validates all parts except the address itself. */
export function checkAddressData(data: string): AddressData {
  const parts = data.split('|', 6)
  if (parts.length > 4)
    throw new RecordError(
      'malformed_data',
      'There are too many parts. The format is address|description|signature|default.',
    )
  const flag = parts[3] ?? ''
  if (flag !== '' && flag !== 't')
    throw new RecordError('malformed_data', 'The default flag must be the letter t or empty.')
  checkOptionalText(parts[1] ?? '', MAX_DESCRIPTION_BYTES, 'description')
  checkOptionalText(parts[2] ?? '', MAX_SIGNATURE_BYTES, 'signature')
  return parseAddressData(data)
}
