import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/accounts.ts'
import type { Deps } from './deps.ts'
import * as passkeys from './repository.ts'
import * as rules from './rules.ts'

/** The challenge that this browser got; the site keeps it sealed in a cookie of the browser. */
export type Challenge = { challenge: string; user_id: string | null; ends_at: number }

/** The options for the browser to sign with a passkey. They name no account. */
export const startAssertion = ({ webUrl }: Deps) =>
  generateAuthenticationOptions({
    rpID: rules.relyingParty(webUrl).id,
    timeout: rules.challengeMs,
    userVerification: 'required',
  })

/**
 * Verifies a signature, then runs the work with its account, and whether it counts as a code. A
 * challenge of a known account confirms a session, which needs a passkey that does. A challenge, even
 * one that another process handed out, is accepted once.
 */
export async function verifyPasskey<Result>(
  deps: Deps,
  challenge: Challenge,
  body: unknown,
  work: (trx: Transaction, user: User, isCode: boolean) => Promise<Result>,
): Promise<Result> {
  const { db, accounts, audit, now } = deps
  const response = rules.readResponse(body)
  const passkey = await passkeys.findByCredential(db, response.id)
  const counter = passkey && (await verifySignature(deps, challenge, passkey, response))
  if (!passkey || counter === undefined) {
    const subject_id = passkey?.user_id ?? null
    await audit.writeEntry(db, 'login.passkey', { result: 'refused', subject_id })
    throw rules.wrongPasskey()
  }
  return transact(db, async (trx) => {
    const user = await accounts.findAccountToChange(trx, passkey.user_id)
    const isExpected = challenge.user_id === null || challenge.user_id === user?.id
    if (!user || user.deactivated_at || !isExpected) throw rules.wrongPasskey()
    const isCode = rules.countsAsCode(passkey, user)
    if (challenge.user_id !== null && !isCode) throw rules.olderPasskey()
    await consumeChallenge(deps, trx, challenge)
    // Conditional: a passkey that was removed or used meanwhile is refused.
    if (!(await passkeys.recordUse(trx, passkey.id, counter, now()))) throw rules.wrongPasskey()
    await audit.writeEntry(trx, 'login.passkey', { actor_id: user.id })
    return work(trx, user, isCode)
  })
}

export async function consumeChallenge(
  { now }: Deps,
  trx: Transaction,
  { challenge, ends_at }: Challenge,
): Promise<void> {
  if (ends_at <= now().getTime()) throw rules.wrongPasskey()
  const isFirst = await passkeys.useChallenge(trx, sha256(challenge), new Date(ends_at))
  if (!isFirst) throw rules.wrongPasskey()
}

/** Returns the new counter; undefined if the response is not valid. */
async function verifySignature(
  { webUrl }: Deps,
  { challenge }: Challenge,
  {
    credential_id,
    public_key,
    counter,
  }: { credential_id: string } & {
    public_key: Buffer
    counter: string | number
  },
  response: rules.PasskeyResponse,
): Promise<number | undefined> {
  const { id, origin } = rules.relyingParty(webUrl)
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      requireUserVerification: true,
      credential: {
        id: credential_id,
        publicKey: new Uint8Array(public_key),
        counter: Number(counter),
      },
    })
    return verified ? authenticationInfo.newCounter : undefined
  } catch {
    // The library throws for every response that is malformed or not meant for this site.
    return undefined
  }
}
