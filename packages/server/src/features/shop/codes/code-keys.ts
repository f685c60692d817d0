import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import { readPubkey } from '../../identity/keys/keys.ts'
import type { Principal } from '../../operations/access/access.ts'
import { loadCodeToChange } from './change-code.ts'
import type { Deps } from './codes.ts'
import type { Code } from './repository.ts'
import * as codes from './repository.ts'
import * as rules from './rules.ts'

const pubkeysAtMost = 100

export async function listPubkey(
  { now }: Deps,
  trx: Transaction,
  code: Code,
  pubkey: string,
): Promise<void> {
  if (code.activator !== 'SecretKey') throw rules.wrongActivator()
  const allowedKeys = await codes.findPubkeys(trx, [code.id])
  if (allowedKeys.some((one) => one.pubkey === pubkey)) return
  if (allowedKeys.length >= pubkeysAtMost) throw rules.tooManyPubkeys()
  await codes.putPubkey(trx, code.id, pubkey, now())
}

export async function addPubkey(
  deps: Deps,
  caller: Principal,
  { code_id, ...why }: rules.PubkeyChange,
): Promise<string> {
  const { db, audit } = deps
  const pubkey = readPubkey(why.pubkey)
  return transact(db, async (trx) => {
    await listPubkey(deps, trx, await loadCodeToChange(trx, caller, code_id, 'code:write'), pubkey)
    const details = { code_id, pubkey, ...rules.why(why) }
    await audit.writeEntry(trx, 'code.pubkey_added', { actor_id: caller.user_id, details })
    return pubkey
  })
}

export async function revokePubkey(
  { db, now, audit }: Deps,
  caller: Principal,
  { code_id, ...why }: rules.PubkeyChange,
) {
  const pubkey = why.pubkey.toLowerCase()
  return transact(db, async (trx) => {
    await loadCodeToChange(trx, caller, code_id, 'code:write')
    if (!(await codes.revokePubkey(trx, code_id, pubkey, now()))) {
      throw rules.unknownPubkey()
    }
    const details = { code_id, pubkey, ...rules.why(why) }
    await audit.writeEntry(trx, 'code.pubkey_revoked', { actor_id: caller.user_id, details })
    return pubkey
  })
}
