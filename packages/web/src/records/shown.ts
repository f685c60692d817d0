import { paymentAddresses } from '@emojid/core'
import type { NewRecord } from '../api/records.ts'
import { isRival } from './diff.ts'
import { isPayment, toCoreRecords } from './names.ts'
import { partsOf } from './parts.ts'

/** All records with the same purpose, including this one. */
const rivalsOf = <Kept extends NewRecord>(record: NewRecord, records: readonly Kept[]): Kept[] =>
  records.filter((one) => isRival(one, record))

/** If a currency has several addresses, the one that payers see. */
export function shownOfSeveral<Kept extends NewRecord>(
  record: NewRecord,
  records: readonly Kept[],
): Kept | undefined {
  const rivals = isPayment(record) ? rivalsOf(record, records) : []
  if (rivals.length < 2) return undefined
  const [chosenAddress] = Object.values(paymentAddresses(toCoreRecords(rivals)))
  return rivals.findLast((rival) => {
    const { text, label, isDefault } = partsOf(rival)
    return (
      text === chosenAddress?.address &&
      label === (chosenAddress.description ?? '') &&
      isDefault === chosenAddress.default
    )
  })
}
