import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal } from '../../../platform/errors.ts'
import { wideNetworkOf } from '../../../platform/http/network.ts'
import { hourMs, minuteMs, secondMs } from '../../../platform/time.ts'

/** Something that attempts are counted for, and how many it may fail before it has to wait. */
export type Subject = {
  key: Buffer
  allowed: number
  /** A password reset clears all subjects of this name. */
  name?: Buffer
}

const longestWaitMs = 15 * minuteMs
/** Failures older than this do not count any more. */
export const forgottenAfterMs = hourMs

export const namedSubject = (name: string, allowed: number): Subject => ({
  key: hashOf('named', name),
  allowed,
})

/** The hash of a login name, known or not. */
export const nameOf = (text: string): Buffer => hashOf('name', text)

/**
 * A login name per network and overall: an attacker cannot lock the owner out of other networks with
 * ten guesses, and cannot guess on from a thousand networks.
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
 * A second factor of a user: per session, per network, and overall. A thief with the password does
 * not lock the owner out elsewhere, and does not guess on from a thousand networks.
 */
export const codeSubjects = (user_id: string, session_id: string, network: string): Subject[] => [
  { key: hashOf('code in session', user_id, session_id), allowed: 5 },
  { key: hashOf('code in network', user_id, network), allowed: 5 },
  { key: hashOf('code', user_id), allowed: 50 },
]

/** Discount and other codes that a user tries, on whatever cart. */
export const redemptionSubject = (user_id: string): Subject => ({
  key: hashOf('redemption', user_id),
  allowed: 30,
})

/** A network and the wide one around it: one customer can have thousands of networks. */
export const networkSubjects = (network: string): [here: Subject, around: Subject] => [
  { key: hashOf('network', network), allowed: 40 },
  { key: hashOf('wide network', wideNetworkOf(network)), allowed: 400 },
]

/** 1 s after the last allowed failure, then twice as long each time. */
export const waitMs = (failures: number, allowed: number): number =>
  failures < allowed ? 0 : Math.min(longestWaitMs, secondMs * 2 ** Math.min(20, failures - allowed))

/** Of a list, so that no name can be written to look like a name and a network. */
const hashOf = (...parts: string[]): Buffer => sha256(JSON.stringify(parts))

export const tooManyAttempts = (ms: number) =>
  refusal('limited', 'too_many_attempts', 'Too many failed attempts. Wait before trying again.', {
    retry_after_seconds: Math.max(1, Math.ceil(ms / secondMs)),
  })
