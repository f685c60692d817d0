import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import type { LinkPurpose } from './repository.ts'
import * as links from './repository.ts'

export const voidLinks = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  purposes: readonly LinkPurpose[],
) => links.useAll(trx, user_id, purposes, now())

/** Voids the older gift links of a user to a transfer. */
export const voidGiftLinks = (
  { now }: Deps,
  trx: Transaction,
  user_id: string,
  transfer_id: string,
) => links.useOfTransfer(trx, user_id, transfer_id, now())

/** Voids the links of every purpose. */
export const voidAllLinks = ({ now }: Deps, trx: Transaction, user_id: string) =>
  links.useEvery(trx, user_id, now())
