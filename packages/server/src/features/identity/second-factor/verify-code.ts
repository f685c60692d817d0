import { currentNetwork } from '../../../platform/request-id.ts'
import type { User } from '../accounts/index.ts'
import { codeSubjects } from '../throttle/index.ts'
import type { Deps } from './deps.ts'
import { openSecret } from './factor-secrets.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'

export async function isSmsCode({ smsKey, db, now }: Deps, place: rules.SmsPlace, code: string) {
  const { session_id } = place
  const expected = rules.smsHmac(code, place, smsKey)
  const smsCode = await factors.trySmsCode(db, session_id, now(), rules.smsTriesAtMost)
  if (!smsCode || !rules.isEqual(smsCode.code_hmac, expected)) return false
  return factors.takeSmsCode(db, session_id, expected)
}

export async function verifyCode(
  deps: Deps,
  user: User,
  session_id: string,
  text: string,
): Promise<void> {
  const { throttle, audit, db } = deps
  const { kind, text: code } = rules.readCode(text)
  const subjects = codeSubjects(user.id, session_id, currentNetwork())
  if (user.two_factor_auth.length === 0) throw rules.notEnabled()
  await throttle.countAttempt(...subjects)
  const verdict =
    kind === 'backup'
      ? await checkBackupCode(deps, user.id, code)
      : await checkDigits(deps, user.id, session_id, code)
  const entry = { actor_id: user.id, details: { kind } }
  if (verdict !== 'right') {
    await audit.writeEntry(db, 'second_factor.given', { ...entry, result: 'refused' })
    if (verdict === 'wrong') throw rules.wrongCode()
    // A replayed code is not a guess.
    await throttle.uncountAttempt(...subjects)
    throw rules.usedCode()
  }
  await throttle.clearFailures(...subjects)
  await audit.writeEntry(db, 'second_factor.given', entry)
}

async function checkAppCode(deps: Deps, user_id: string, code: string): Promise<rules.Verdict> {
  const { db, now } = deps
  const factor = await factors.find(db, user_id, 'AuthenticatorApp')
  const step = factor && rules.stepOf(openSecret(deps, factor), code, now())
  if (step === undefined) return 'wrong'
  return (await factors.takeStep(db, user_id, step)) ? 'right' : 'used'
}

async function checkDigits(deps: Deps, user_id: string, session_id: string, code: string) {
  const verdict = await checkAppCode(deps, user_id, code)
  if (verdict === 'right') return verdict
  return (await isSmsCode(deps, { session_id, purpose: 'give' }, code)) ? 'right' : verdict
}

async function checkBackupCode(
  { db }: Deps,
  user_id: string,
  code: string,
): Promise<rules.Verdict> {
  return (await factors.takeBackupCode(db, user_id, rules.backupHash(code))) ? 'right' : 'wrong'
}
