import { generateKeyPair } from '../../platform/crypto/ristretto.ts'
import type { Sealer } from '../../platform/crypto/seal.ts'
import type { Database, Transaction } from '../../tables.ts'
import * as keys from './repository.ts'

export type Keys = ReturnType<typeof createKeys>

type Options = { sealer: Sealer; now: () => Date }

export function createKeys({ sealer, now }: Options) {
  return {
    /** Makes a pair for a user. Its private half is sealed at once and leaves by no operation. */
    async createCustodial(trx: Transaction, user_id: string): Promise<string> {
      const { private_key, pubkey } = generateKeyPair()
      const sealed_private_key = sealer.seal(private_key, placeOf(user_id, pubkey))
      private_key.fill(0)
      await keys.insert(trx, {
        ...{ pubkey, user_id, organization_id: null, sealed_private_key, created_at: now() },
      })
      return pubkey
    },

    /** Public keys by user, oldest first. */
    async pubkeysOf(db: Database | Transaction, user_ids: readonly string[]) {
      const found = new Map(user_ids.map((id) => [id, [] as string[]]))
      if (user_ids.length === 0) return found
      for (const { pubkey, user_id } of await keys.findOfUsers(db, user_ids)) {
        found.get(user_id ?? '')?.push(pubkey)
      }
      return found
    },
  }
}

/** Sealed for this owner and this key: moved to another row, it does not open. */
const placeOf = (owner: string, pubkey: string): string => `private key of ${owner} ${pubkey}`
