import {
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { transact } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { assertFresh, oldLogin, type Principal } from '../../operations/access/index.ts'
import type { Deps } from './deps.ts'
import * as passkeys from './repository.ts'
import * as rules from './rules.ts'
import { type Challenge, consumeChallenge } from './verify-passkey.ts'

/** The options for the browser to create a passkey. */
export async function startRegistration(
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

/** Stores the new passkey and emails the owner. */
export async function registerPasskey(
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
    const about = { told: 'passkey' } as const
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

/** A stolen session must not add a way to sign in: needs a code, the password or a recent sign-in. */
export async function assertOwner(
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
