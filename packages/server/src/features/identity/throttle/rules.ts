import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal } from '../../../platform/errors.ts'
import { networksOfOne, wideNetworkOf } from '../../../platform/http/network.ts'
import { hourMs, secondMs } from '../../../platform/time.ts'

/** A subject of the rate limit, with the number of failures before the back-off. */
export type Subject = {
  key: Buffer
  allowed: number
  /** A new password clears all subjects of this name. */
  name?: Buffer
}

/** Older failures do not count. */
export const failuresCountForMs = hourMs

export const namedSubject = (name: string, allowed: number): Subject => ({
  key: hashOf('named', name),
  allowed,
})

/** The hash of a login name, registered or not. */
export const nameOf = (text: string): Buffer => hashOf('name', text)

/**
 * A login name per network and overall. Guesses from one network do not lock the owner out of other
 * networks, and a botnet cannot guess without limit.
 */
export const nameSubjects = (
  text: string,
  network: string,
  allowed = 10,
): [here: Subject, everywhere: Subject] => [
  { key: hashOf('name in network', text, network), name: nameOf(text), allowed },
  { key: nameOf(text), name: nameOf(text), allowed: 100 },
]

/** A browser with a valid device cookie. */
export const deviceSubject = (device: string): Subject => ({
  key: hashOf('device', device),
  allowed: 10,
})

/**
 * A second factor per session, per network and overall. A thief with the password does not lock the
 * owner out elsewhere, and a botnet cannot guess without limit.
 */
export const codeSubjects = (user_id: string, session_id: string, network: string): Subject[] => [
  { key: hashOf('code in session', user_id, session_id), allowed: 5 },
  { key: hashOf('code in network', user_id, network), allowed: 5 },
  { key: hashOf('code', user_id), allowed: 50 },
]

/**
 * Texts of codes that a user tries on a cart, or as the text of a new code of a partner. Accounts and
 * members are cheap, so the partner and the network count too.
 */
export const redemptionSubjects = (
  user_id: string,
  network: string,
  organization_id: string | null = null,
): Subject[] => [
  { key: hashOf('redemption', user_id), allowed: 30 },
  ...(organization_id ? [{ key: hashOf('redemption of', organization_id), allowed: 30 }] : []),
  { key: hashOf('redemption in network', network), allowed: 300 },
  {
    key: hashOf('redemption in wide network', wideNetworkOf(network)),
    allowed: networksOfOne * 300,
  },
]

/** A network and its wide network, because one customer can have thousands of networks. */
export const networkSubjects = (network: string): [here: Subject, wide: Subject] => [
  { key: hashOf('network', network), allowed: 40 },
  { key: hashOf('wide network', wideNetworkOf(network)), allowed: 400 },
]

/** Hashes a JSON list, so that parts cannot run into each other. */
const hashOf = (...parts: string[]): Buffer => sha256(JSON.stringify(parts))

export const tooManyAttempts = (ms: number) =>
  refusal('limited', 'too_many_attempts', 'Too many failed attempts. Try again later.', {
    retry_after_seconds: Math.max(1, Math.ceil(ms / secondMs)),
  })
