import { setImmediate as nextTurn } from 'node:timers/promises'
import { createSigner, type Signature } from '../../../platform/crypto/ristretto.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import type { Key } from './key-limit.ts'
import * as keys from './repository.ts'
import * as rules from './rules.ts'

/** Signs with a custodial key; undefined for other keys. */
export async function signText(
  deps: Deps,
  from: Database | Transaction,
  pubkey: string,
  domain: rules.SigningDomain,
  message: string,
) {
  const key = await keys.find(from, pubkey)
  return key && openSigner(deps, key, domain)?.(message)
}

/** Signs each message with its custodial key; undefined for other keys. */
export async function signTexts(
  deps: Deps,
  trx: Transaction,
  domain: rules.SigningDomain,
  requests: readonly { pubkey: string; message: string }[],
): Promise<(Signature | undefined)[]> {
  const storedKeys = await keys.findAll(trx, [...new Set(requests.map(({ pubkey }) => pubkey))])
  const signers = new Map(storedKeys.map((key) => [key.pubkey, openSigner(deps, key, domain)]))
  const signatures: (Signature | undefined)[] = []
  for (const [place, { pubkey, message }] of requests.entries()) {
    // Signing blocks the event loop, so let other requests run in between.
    if (place % 8 === 7) await nextTurn()
    signatures.push(signers.get(pubkey)?.(message))
  }
  return signatures
}

function openSigner({ sealer }: Deps, key: Key, domain: rules.SigningDomain) {
  if (!key.sealed_private_key) return undefined
  const owner = key.user_id ?? key.organization_id ?? ''
  const privateKey = sealer.open(key.sealed_private_key, rules.placeOf(owner, key.pubkey))
  try {
    return createSigner(privateKey, domain)
  } finally {
    privateKey.fill(0)
  }
}
