import type { Deps } from './deps.ts'
import * as clients from './repository.ts'
import * as rules from './rules.ts'

/** Returns the client if the secret is right; takes as long for an unknown client. */
export async function authenticateClient(
  { db, throttle }: Deps,
  id: string,
  secret: string,
  address: string,
) {
  const secrets = await clients.findSecrets(db, [id])
  const isKnown = secrets.length > 0
  const subject = isKnown ? rules.secretSubject(id, address) : rules.guessSubject(address)
  await throttle.assertNotBlocked(subject)
  const hashes = secrets.map(({ secret_sha256 }) => secret_sha256)
  const client = rules.isOneOf(secret, hashes) ? await clients.find(db, id) : undefined
  if (!client) await throttle.countFailure(subject)
  return client
}
