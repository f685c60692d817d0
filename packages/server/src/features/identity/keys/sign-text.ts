import { setImmediate as others } from 'node:timers/promises'
import { createSigner, type Signature } from '../../../platform/crypto/ristretto.ts'
import type { Database, Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import type { Key } from './give-key.ts'
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

/** Signs many messages, each with its custodial key; undefined in the place of other keys. */
export async function signTexts(
  deps: Deps,
  trx: Transaction,
  domain: rules.SigningDomain,
  wanted: readonly { pubkey: string; message: string }[],
): Promise<(Signature | undefined)[]> {
  const found = await keys.findAll(trx, [...new Set(wanted.map(({ pubkey }) => pubkey))])
  const signers = new Map(found.map((key) => [key.pubkey, openSigner(deps, key, domain)]))
  const made: (Signature | undefined)[] = []
  for (const [place, { pubkey, message }] of wanted.entries()) {
    // Signing takes long, so other requests get their turn in between.
    if (place % 8 === 7) await others()
    made.push(signers.get(pubkey)?.(message))
  }
  return made
}

function openSigner({ sealer }: Deps, key: Key, domain: rules.SigningDomain) {
  if (!key.sealed_private_key) return undefined
  const owner = key.user_id ?? key.organization_id ?? ''
  const opened = sealer.open(key.sealed_private_key, rules.placeOf(owner, key.pubkey))
  try {
    return createSigner(opened, domain)
  } finally {
    opened.fill(0)
  }
}
