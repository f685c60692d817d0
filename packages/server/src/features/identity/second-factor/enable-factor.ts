import { transact } from '../../../platform/database/database.ts'
import type { Phone } from '../../../platform/sms/phones.ts'
import { oldLogin, type Principal } from '../../operations/access/access.ts'
import { assertPhoneNumber } from '../../operations/notifications/notifications.ts'
import { sealSecret } from './factor-secrets.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { EnableBody } from './schema.ts'
import type { Deps } from './second-factor.ts'
import { sendSms } from './send-code.ts'

/** Prepares a second factor, which the first code in the same session enables. */
export async function enableFactor(deps: Deps, caller: Principal, body: EnableBody) {
  const { db, accounts, now, audit } = deps
  await assertOwner(deps, caller, body.current_password)
  const { provider, phone } = body
  const session_id = caller.session_id ?? ''
  const newPhone = provider === 'SMS' ? readNewPhone(deps, phone) : undefined
  const secret = newPhone?.number ?? rules.makeSecret()
  const backup_codes = rules.makeBackupCodes()
  return transact(db, async (trx) => {
    const user = await accounts.loadCaller(trx, caller)
    const sealed = sealSecret(deps, user.id, provider, secret)
    await factors.putSetup(trx, {
      session_id,
      user_id: user.id,
      provider,
      sealed,
      is_default: body.default ?? true,
      backup_codes_sha256: backup_codes.map(rules.backupHash),
      created_at: now(),
    })
    await audit.writeEntry(trx, 'second_factor.prepared', {
      actor_id: user.id,
      details: { provider },
    })
    if (newPhone) {
      await sendSms(deps, trx, user, { session_id, purpose: 'confirm', sealed }, newPhone)
      const phone_last_digits = rules.lastDigits(secret)
      return { backup_codes, ga_qr_code_svg: null, ga_secret: null, phone_last_digits }
    }
    const label = user.email ?? user.alternate_id ?? user.id
    const ga_qr_code_svg = rules.qrCodeOf(secret, label)
    return { backup_codes, ga_qr_code_svg, ga_secret: secret, phone_last_digits: null }
  })
}

function readNewPhone({ smsLimits }: Deps, text: string | null | undefined): Phone {
  if (!text) throw rules.missingPhone()
  assertPhoneNumber(text)
  return rules.readPhone(text, 'confirm', smsLimits.countries)
}

/** Requires the password or a recent sign-in: a stolen token must not lock the owner out. */
async function assertOwner(
  { accounts }: Deps,
  caller: Principal,
  password: string | null | undefined,
) {
  const user = await accounts.loadAccount(caller.user_id)
  const hasPassword = typeof password === 'string' && user.password_hash !== null
  if (hasPassword) return accounts.assertPassword(user, password)
  if (!caller.isRecentLogin) throw oldLogin(rules.passwordHint)
}
