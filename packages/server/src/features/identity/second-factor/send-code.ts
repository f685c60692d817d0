import { transact } from '../../../platform/database/database.ts'
import { currentNetwork } from '../../../platform/request-id.ts'
import { type Phone, parsePhone } from '../../../platform/sms/phones.ts'
import { dayMs, hourMs, minuteMs } from '../../../platform/time.ts'
import type { Transaction } from '../../../tables.ts'
import type { Principal } from '../../operations/access/access.ts'
import type { User } from '../accounts/accounts.ts'
import { openSecret } from './factor-secrets.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { Deps } from './second-factor.ts'

export async function sendSms(
  deps: Deps,
  trx: Transaction,
  user: User,
  place: rules.SmsPlace,
  phone: Phone,
): Promise<void> {
  const { now, phoneKey, smsKey, notifications } = deps
  const at = now()
  const { session_id, purpose } = place
  if (purpose === 'confirm') rules.assertMaySetUpPhone(user)
  const factor = await factors.find(trx, user.id, 'SMS')
  await countSending(deps, trx, {
    user_id: user.id,
    at,
    phone_hmac: rules.phoneHmac(phone.number, phoneKey),
    network: currentNetwork(),
    is_known: factor?.last_network === currentNetwork(),
    country: phone.country,
    purpose,
    has_email: user.email !== null,
  })
  const code = rules.makeSmsCode()
  await factors.putSmsCode(trx, {
    session_id,
    user_id: user.id,
    tries: 0,
    created_at: at,
    code_hmac: rules.smsHmac(code, place, smsKey),
    expires_at: new Date(at.getTime() + rules.smsLastsMs),
  })
  const valid_minutes = rules.smsLastsMs / minuteMs
  const text = rules.smsText(code, valid_minutes)
  await notifications.queueSms(trx, { to: phone.number, kind: 'code', text, valid_minutes })
}

/** Sends a code to the enabled phone, or to the phone in setup if the caller owes no code. */
export async function sendCode(deps: Deps, caller: Principal) {
  const { db, accounts, now, smsLimits } = deps
  return transact(db, async (trx) => {
    const user = await accounts.loadAccountToChange(trx, caller.user_id)
    const owesCode = caller.kind === 'pending' || caller.second_factor?.isFresh === false
    const session_id = caller.session_id ?? ''
    const setup = owesCode ? undefined : await factors.findSetup(trx, session_id)
    const isSettingUp = setup?.provider === 'SMS' && rules.isOpen(setup, now())
    const factor = isSettingUp ? setup : await factors.find(trx, user.id, 'SMS')
    if (!factor) throw rules.notEnabled()
    const purpose = isSettingUp ? 'confirm' : 'give'
    const phone = rules.readPhone(openSecret(deps, factor), purpose, smsLimits.countries)
    await sendSms(deps, trx, user, { session_id, purpose, sealed: factor.sealed }, phone)
    const phone_last_digits = rules.lastDigits(phone.number)
    return { message: 'We sent you a code.', phone_last_digits }
  })
}

/** The enabled phone, if the service sends text messages to its country. */
export async function readPhone(
  deps: Deps,
  trx: Transaction,
  user: User,
): Promise<string | undefined> {
  const { smsLimits } = deps
  const factor = await factors.find(trx, user.id, 'SMS')
  const phone = factor && parsePhone(openSecret(deps, factor))
  return phone && smsLimits.countries.has(phone.country) ? phone.number : undefined
}

async function countSending(
  { smsLimits, log }: Deps,
  trx: Transaction,
  sending: factors.SmsSending,
) {
  const ago = (ms: number) => new Date(sending.at.getTime() - ms)
  const since = { hourAgo: ago(hourMs), dayAgo: ago(dayMs) }
  const sendCounts = await factors.countSendings(trx, sending, since)
  const { country, purpose } = sending
  const limit = rules.findReachedLimit(sendCounts, sending, smsLimits)
  if (limit === 'country' || limit === 'day') {
    log.warn({ limit, country, purpose }, 'Reached the daily limit of text messages')
  }
  if (limit) throw rules.tooManySms(limit, purpose)
  await factors.recordSending(trx, sending)
}
