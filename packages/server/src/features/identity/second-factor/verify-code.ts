import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import type { Transaction } from '../../../tables.ts'
import type { User } from '../accounts/accounts.ts'
import { codeSubjects } from '../throttle/throttle.ts'
import { openSecret } from './factor-secrets.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './second-factor.ts'

/** Whether the latest code of the session was sent for this purpose to this phone. Counts the try. */
export async function isSmsCode(
  { smsKey, now }: Deps,
  trx: Transaction,
  place: rules.SmsPlace,
  code: string,
): Promise<boolean> {
  const { session_id } = place
  const open = await factors.trySmsCode(trx, session_id, now(), rules.smsTriesAtMost)
  if (!open) return false
  const code_hmac = rules.smsHmac(code, place, smsKey)
  return (await factors.useSmsCode(trx, session_id, code_hmac)) !== undefined
}

/**
 * Runs the work if the code is right, in the transaction that locks the account and accepts the code:
 * a factor that was replaced or removed meanwhile gives no access. A wrong code commits too, which
 * counts the try.
 */
export async function withVerifiedCode<Result>(
  deps: Deps,
  { id: user_id, two_factor_auth }: Pick<User, 'id' | 'two_factor_auth'>,
  session_id: string,
  text: string,
  work: (trx: Transaction) => Promise<Result>,
): Promise<Result> {
  const { throttle, accounts, audit, db } = deps
  const { kind, text: code } = rules.readCode(text)
  const subjects = codeSubjects(user_id, session_id, currentNetwork())
  if (two_factor_auth.length === 0) throw rules.notEnabled()
  await throttle.countAttempt(...subjects)
  const outcome = await transact(db, async (trx) => {
    await accounts.findAccountToChange(trx, user_id)
    const verdict =
      kind === 'backup'
        ? await checkBackupCode(trx, user_id, code)
        : await checkDigits(deps, trx, user_id, session_id, code)
    const entry = { actor_id: user_id, details: { kind } }
    if (verdict !== 'right') {
      await audit.writeEntry(trx, 'second_factor.given', { ...entry, result: 'refused' })
      return { verdict }
    }
    await audit.writeEntry(trx, 'second_factor.given', entry)
    await factors.noteNetwork(trx, user_id, currentNetwork())
    return { verdict, result: await work(trx) }
  })
  if (outcome.verdict !== 'right') {
    if (outcome.verdict === 'wrong') throw rules.wrongCode()
    // A replayed code is not a guess.
    await throttle.uncountAttempt(...subjects)
    throw rules.usedCode()
  }
  await throttle.clearFailures(...subjects)
  return outcome.result
}

export const verifyCode = (deps: Deps, user: User, session_id: string, text: string) =>
  withVerifiedCode(deps, user, session_id, text, async () => {})

async function checkAppCode(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  code: string,
): Promise<rules.Verdict> {
  const factor = await factors.find(trx, user_id, 'AuthenticatorApp')
  const step = factor && rules.stepOf(openSecret(deps, factor), code, deps.now())
  if (step === undefined) return 'wrong'
  return (await factors.takeStep(trx, user_id, step)) ? 'right' : 'used'
}

async function checkDigits(
  deps: Deps,
  trx: Transaction,
  user_id: string,
  session_id: string,
  code: string,
): Promise<rules.Verdict> {
  const verdict = await checkAppCode(deps, trx, user_id, code)
  if (verdict === 'right') return verdict
  const factor = await factors.find(trx, user_id, 'SMS')
  const place = factor && ({ session_id, purpose: 'give', sealed: factor.sealed } as const)
  return place && (await isSmsCode(deps, trx, place, code)) ? 'right' : verdict
}

async function checkBackupCode(
  trx: Transaction,
  user_id: string,
  code: string,
): Promise<rules.Verdict> {
  return (await factors.takeBackupCode(trx, user_id, rules.backupHash(code))) ? 'right' : 'wrong'
}
