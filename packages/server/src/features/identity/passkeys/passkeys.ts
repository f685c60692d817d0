import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { bindTo, bindUseCases } from '../../../platform/bind.ts'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Database, Transaction } from '../../../tables.ts'
import {
  assertFresh,
  assertPerson,
  oldLogin,
  type Principal,
} from '../../operations/access/access.ts'
import type { Audit } from '../../operations/audit/audit.ts'
import type { Accounts, User } from '../accounts/accounts.ts'
import type { SecondFactor } from '../second-factor/second-factor.ts'
import * as passkeys from './repository.ts'
import * as rules from './rules.ts'

export { purgeChallenges } from './repository.ts'

export { challengeMs } from './rules.ts'

export type Deps = {
  db: Database
  accounts: Accounts
  secondFactor: SecondFactor
  audit: Audit
  now: () => Date
  /** Its origin and host are the relying party. */
  webUrl: string
}

export type Passkeys = ReturnType<typeof createPasskeys>

/**
 * Passkeys sign in at the web site and count there as a fresh second factor, unless they are older
 * than the second factor. The API does not use them: `two_factor_auth` and `requires_2fa` name apps
 * and text messages only.
 */
export function createPasskeys(deps: Deps) {
  const { accounts, secondFactor } = deps
  accounts.whenDisowned(passkeys.removeOfUser)
  accounts.beforeDeletion(passkeys.removeOfUser)
  accounts.whenRevoked(revokePasskeys)
  secondFactor.whenRemoved(unconfirmPasskeys)
  return {
    ...bindUseCases(deps, {
      startRegistration,
      registerPasskey,
      startAssertion,
      listPasskeys,
      renamePasskey,
      confirmPasskey,
      removePasskey,
    }),
    verifyPasskey: bindTo(deps)(verifyPasskey),
  }
}

/** The options for the browser to create a passkey. */
async function startRegistration(
  deps: Deps,
  caller: Principal,
  current_password: string | undefined,
) {
  const { db, accounts, webUrl } = deps
  await assertOwner(deps, caller, current_password)
  const user = await accounts.loadAccount(caller.user_id)
  const existingPasskeys = await passkeys.findOfUser(db, user.id)
  if (existingPasskeys.length >= rules.passkeysAtMost) throw rules.tooManyPasskeys()
  return generateRegistrationOptions({
    rpName: rules.relyingPartyName,
    rpID: rules.relyingParty(webUrl).id,
    userName: user.email ?? user.alternate_id ?? user.id,
    userID: new TextEncoder().encode(user.id),
    timeout: rules.challengeMs,
    attestationType: 'none',
    excludeCredentials: existingPasskeys.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports: transports as [],
    })),
    // Discoverable: the person types no name. Verified: a stolen device opens nothing.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** A stolen session must not add a way to sign in: needs a code, the password or a recent sign-in. */
async function assertOwner(
  { accounts }: Deps,
  caller: Principal,
  password: string | undefined,
): Promise<void> {
  assertFresh(caller, 'code_or_nothing')
  if (caller.second_factor || caller.isRecentLogin) return
  const user = await accounts.loadAccount(caller.user_id)
  if (!password || user.password_hash === null) throw oldLogin(rules.passwordHint)
  await accounts.assertPassword(user, password)
}

/** The challenge that this browser got; the site keeps it sealed in a cookie of the browser. */
export type Challenge = { challenge: string; user_id: string | null; ends_at: number }

/** Stores the new passkey and emails the owner. */
async function registerPasskey(
  deps: Deps,
  caller: Principal,
  challenge: Challenge,
  input: { response: unknown; name: string },
) {
  const { db, accounts, audit, now } = deps
  const name = rules.readName(input.name)
  const { credential } = await verifyNew(deps, challenge, input.response)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    if (challenge.user_id !== user.id) throw rules.wrongPasskey()
    await consumeChallenge(deps, trx, challenge)
    const existingPasskeys = await passkeys.findOfUser(trx, user.id)
    if (existingPasskeys.length >= rules.passkeysAtMost) throw rules.tooManyPasskeys()
    const about = { event: 'passkey' } as const
    const sentence = rules.addedSentence(name)
    await accounts.notifyOwner(trx, user, 'A passkey was added', sentence, about)
    const passkey = await passkeys.insert(trx, {
      user_id: user.id,
      credential_id: credential.id,
      public_key: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: (credential.transports ?? []).slice(0, 10).map((one) => one.slice(0, 20)),
      name,
      created_at: now(),
      last_used_at: null,
      // With a second factor, this session gave a fresh code.
      confirmed_at: user.two_factor_auth.length > 0 ? now() : null,
    })
    if (!passkey) throw rules.wrongPasskey()
    await audit.writeEntry(trx, 'passkey.added', { actor_id: user.id, details: { name } })
    return rules.show(passkey, user)
  })
}

async function verifyNew({ webUrl }: Deps, { challenge }: Challenge, body: unknown) {
  const { id, origin } = rules.relyingParty(webUrl)
  const response = rules.readResponse(body) as unknown as RegistrationResponseJSON
  const verification = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw error instanceof ServiceError ? error : rules.wrongPasskey()
  })
  if (!verification.verified) throw rules.wrongPasskey()
  return verification.registrationInfo
}

async function consumeChallenge(
  { now }: Deps,
  trx: Transaction,
  { challenge, ends_at }: Challenge,
): Promise<void> {
  if (ends_at <= now().getTime()) throw rules.wrongPasskey()
  const isFirst = await passkeys.useChallenge(trx, sha256(challenge), new Date(ends_at))
  if (!isFirst) throw rules.wrongPasskey()
}

/** The options for the browser to sign with a passkey. They name no account. */
const startAssertion = ({ webUrl }: Deps) =>
  generateAuthenticationOptions({
    rpID: rules.relyingParty(webUrl).id,
    timeout: rules.challengeMs,
    userVerification: 'required',
  })

async function listPasskeys({ db, accounts }: Deps, { user_id }: Principal) {
  const user = await accounts.loadAccount(user_id)
  return (await passkeys.findOfUser(db, user_id)).map((passkey) => rules.show(passkey, user))
}

async function renamePasskey({ db, accounts }: Deps, caller: Principal, id: string, text: string) {
  const name = rules.readName(text)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const passkey = await passkeys.rename(trx, user.id, id, name)
    if (!passkey) throw rules.unknownPasskey()
    return rules.show(passkey, user)
  })
}

/** From now on the passkey takes the place of a code. */
async function confirmPasskey({ db, accounts, audit, now }: Deps, caller: Principal, id: string) {
  assertPerson(caller)
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const passkey = await passkeys.confirm(trx, user.id, id, now())
    if (!passkey) throw rules.unknownPasskey()
    const { name } = passkey
    await audit.writeEntry(trx, 'passkey.confirmed', { actor_id: user.id, details: { name } })
    return rules.show(passkey, user)
  })
}

async function removePasskey(
  deps: Deps,
  caller: Principal,
  id: string,
  current_password: string | undefined,
): Promise<void> {
  const { db, accounts, audit } = deps
  await assertOwner(deps, caller, current_password)
  await transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const passkey = await passkeys.remove(trx, user.id, id)
    if (!passkey) throw rules.unknownPasskey()
    const { name } = passkey
    await audit.writeEntry(trx, 'passkey.removed', { actor_id: user.id, details: { name } })
    const sentence = rules.removedSentence(name)
    await accounts.notifyAccount(trx, user, 'A passkey was removed', sentence)
  })
}

/**
 * A reset, a new mailbox or "this was not me" revokes every passkey: one that an intruder added
 * must not outlive it.
 */
const revokePasskeys = (trx: Transaction, user_id: string): Promise<void> =>
  passkeys.removeOfUser(trx, user_id)

/** After the last second factor is removed, the next one is newer than every passkey. */
const unconfirmPasskeys = (trx: Transaction, user_id: string): Promise<void> =>
  passkeys.unconfirmOfUser(trx, user_id)

/**
 * Verifies a signature, then runs the work with its account, and whether it counts as a code. A
 * challenge of a known account confirms a session, which needs a passkey that does. A challenge, even
 * one that another process handed out, is accepted once.
 */
async function verifyPasskey<Result>(
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
