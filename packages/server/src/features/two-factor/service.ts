import type { Sealer } from '../../platform/crypto/seal.ts'
import { transact } from '../../platform/database/database.ts'
import { networkOf } from '../../platform/http/network.ts'
import type { Log } from '../../platform/log/log.ts'
import { currentNetwork } from '../../platform/request-id.ts'
import { type Phone, parsePhone, type SmsLimits } from '../../platform/sms/phones.ts'
import type { Database, Transaction } from '../../tables.ts'
import { assertMayChange, OldLoginError, type Principal, type Provider } from '../access/index.ts'
import type { Accounts, User } from '../accounts/index.ts'
import type { Audit } from '../audit/index.ts'
import { assertPhoneNumber, type Notifications } from '../notifications/index.ts'
import { codeSubject, nameSubjects, networkSubjects, type Throttle } from '../throttle/index.ts'
import * as factors from './repository.ts'
import * as rules from './rules.ts'
import type { BackupDisableBody, DisableBody, EnableBody } from './schema.ts'

export type SecondFactor = ReturnType<typeof createSecondFactor>

type Options = {
  db: Database
  accounts: Accounts
  notifications: Notifications
  audit: Audit
  throttle: Throttle
  sealer: Sealer
  now: () => Date
  log: Log
  smsLimits: SmsLimits
}

export function createSecondFactor(options: Options) {
  const { db, accounts, notifications, audit, throttle, sealer, now, log, smsLimits } = options
  const smsKey = sealer.derive('text message codes')
  const phoneKey = sealer.derive('phone numbers of text messages')
  const whenEnabled: ((trx: Transaction, caller: Principal) => Promise<void>)[] = []
  const whenRemoved: ((trx: Transaction, user_id: string) => Promise<unknown>)[] = []

  const sealed = (user_id: string, provider: Provider, text: string) =>
    sealer.seal(text, placeOf(user_id, provider))
  const open = ({
    user_id,
    provider,
    sealed: text,
  }: {
    user_id: string
    provider: Provider
    sealed: string
  }) => sealer.open(text, placeOf(user_id, provider)).toString()

  const noteSending = async (trx: Transaction, sending: factors.Sending) => {
    const ago = (ms: number) => new Date(sending.at.getTime() - ms)
    const since = { hourAgo: ago(rules.hourMs), dayAgo: ago(rules.dayMs) }
    const sent = await factors.countSendings(trx, sending, since)
    const { country, purpose } = sending
    const limit = rules.findReachedLimit(sent, sending, smsLimits)
    if (limit === 'country' || limit === 'day') {
      log.warn({ limit, country, purpose }, 'A daily limit of text messages is reached')
    }
    if (limit) throw new rules.TooManySmsError(limit, purpose)
    await factors.noteSending(trx, sending)
  }
  const sendSms = async (trx: Transaction, user: User, place: rules.SmsPlace, phone: Phone) => {
    const at = now()
    const { session_id, purpose } = place
    if (purpose === 'confirm') rules.assertMaySetUpPhone(user)
    await noteSending(trx, {
      user_id: user.id,
      at,
      phone_hmac: rules.phoneHmac(phone.number, phoneKey),
      network: currentNetwork(),
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
    const params = { code, valid_minutes: rules.smsLastsMs / 60_000 }
    await notifications.queueSms(trx, { to: phone.number, template: 'code', params })
  }
  const readNewPhone = (text: string | null | undefined): Phone => {
    if (!text) throw new rules.PhoneMissingError()
    assertPhoneNumber(text)
    return rules.readPhone(text, 'confirm', smsLimits.countries)
  }
  const isSmsCode = async (place: rules.SmsPlace, code: string) => {
    const { session_id } = place
    const expected = rules.smsHmac(code, place, smsKey)
    const kept = await factors.trySmsCode(db, session_id, now(), rules.smsTriesAtMost)
    if (!kept || !rules.isEqual(kept.code_hmac, expected)) return false
    return factors.takeSmsCode(db, session_id, expected)
  }
  const judgeAppCode = async (user_id: string, code: string): Promise<rules.Verdict> => {
    const factor = await factors.find(db, user_id, 'AuthenticatorApp')
    const step = factor && rules.stepOf(open(factor), code, now())
    if (step === undefined) return 'wrong'
    return (await factors.takeStep(db, user_id, step)) ? 'right' : 'used'
  }
  const judgeDigits = async (user_id: string, session_id: string, code: string) => {
    const verdict = await judgeAppCode(user_id, code)
    if (verdict === 'right') return verdict
    return (await isSmsCode({ session_id, purpose: 'give' }, code)) ? 'right' : verdict
  }
  const judgeBackupCode = async (user_id: string, code: string): Promise<rules.Verdict> =>
    (await factors.takeBackupCode(db, user_id, rules.backupHash(code))) ? 'right' : 'wrong'

  /** A stolen token is not enough to lock the owner out. */
  const assertOwner = async (caller: Principal, password: string | null | undefined) => {
    const user = await accounts.load(caller.user_id)
    const isGiven = typeof password === 'string' && user.password_hash !== null
    if (isGiven) return accounts.assertPassword(user, password)
    if (!caller.isRecentLogin) throw new OldLoginError(rules.passwordHint)
  }

  /** What is left in force; none left ends what codes were for. */
  const removeFactors = async (trx: Transaction, user: User, providers: readonly Provider[]) => {
    await factors.remove(trx, user.id, providers)
    if (providers.includes('SMS')) await factors.removeSmsCodes(trx, user.id)
    const left = user.two_factor_auth.filter((provider) => !providers.includes(provider))
    await accounts.change(trx, user.id, { two_factor_auth: left })
    if (left.length > 0) return
    await factors.replaceBackupCodes(trx, user.id, [])
    for (const follow of whenRemoved) await follow(trx, user.id)
  }
  const tellRemoved = (trx: Transaction, user: User, how: string) =>
    accounts.tell(
      trx,
      user,
      'Your second factor was removed',
      `A second factor of your account was removed ${how}. API keys that you have change records as before, and stay shut out of whatever else asked for a code.`,
    )

  const forget = async (trx: Transaction, user_id: string) => {
    await factors.takeSetup(trx, user_id)
    await removeFactors(trx, await accounts.loadToChange(trx, user_id), ['AuthenticatorApp', 'SMS'])
  }
  accounts.whenDisowned(forget)
  accounts.beforeDeletion(forget)
  accounts.whenRevoked(async (trx, user_id, { told }) => {
    await factors.takeSetup(trx, user_id)
    await factors.removeSmsCodes(trx, user_id)
    if (told?.event !== 'second_factor') return
    // The one that the notice was about, set up anew or not, and whatever came since.
    const user = await accounts.loadToChange(trx, user_id)
    const removed: Provider[] = []
    for (const provider of user.two_factor_auth) {
      const factor = await factors.find(trx, user_id, provider)
      const isSince = factor !== undefined && factor.confirmed_at >= told.at
      if (provider === told.provider || isSince) removed.push(provider)
    }
    if (removed.length === 0) return
    await removeFactors(trx, user, removed)
    // The intruder knows the backup codes that came with the factor.
    await factors.replaceBackupCodes(trx, user_id, [])
    const details = { removed, by: 'notice' }
    await audit.note(trx, 'second_factor.removed', { actor_id: user_id, details })
  })

  return {
    whenEnabled: (follow: (typeof whenEnabled)[number]) => void whenEnabled.push(follow),
    whenRemoved: (follow: (typeof whenRemoved)[number]) => void whenRemoved.push(follow),

    /** Prepares a second factor. It takes effect when a code of it is given. */
    async enable(caller: Principal, body: EnableBody) {
      await assertOwner(caller, body.current_password)
      const { provider, phone } = body
      const session_id = caller.session_id ?? ''
      const newPhone = provider === 'SMS' ? readNewPhone(phone) : undefined
      const secret = newPhone?.number ?? rules.makeSecret()
      const backup_codes = rules.makeBackupCodes()
      return transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, caller.user_id)
        await factors.putSetup(trx, {
          user_id: user.id,
          provider,
          sealed: sealed(user.id, provider, secret),
          is_default: body.default ?? true,
          backup_codes_sha256: backup_codes.map(rules.backupHash),
          created_at: now(),
        })
        await audit.note(trx, 'second_factor.prepared', {
          actor_id: user.id,
          details: { provider },
        })
        if (newPhone) {
          await sendSms(trx, user, { session_id, purpose: 'confirm' }, newPhone)
          const phone_last_digits = rules.lastDigits(secret)
          return { backup_codes, ga_qr_code_svg: null, ga_secret: null, phone_last_digits }
        }
        const label = user.email ?? user.alternate_id ?? user.id
        const ga_qr_code_svg = rules.qrCodeOf(secret, label)
        return { backup_codes, ga_qr_code_svg, ga_secret: secret, phone_last_digits: null }
      })
    },

    async confirm(caller: Principal, text: string): Promise<void> {
      const { kind, text: code } = rules.readCode(text)
      if (kind !== 'digits') throw new rules.CodeFormError()
      const setup = await factors.findSetup(db, caller.user_id)
      if (!setup || !rules.isOpen(setup, now())) throw new rules.NothingToConfirmError()
      const subject = codeSubject(caller.user_id)
      await throttle.takeTry(subject)
      const step = setup.provider === 'SMS' ? undefined : rules.stepOf(open(setup), code, now())
      const isRight =
        setup.provider === 'SMS'
          ? await isSmsCode({ session_id: caller.session_id ?? '', purpose: 'confirm' }, code)
          : step !== undefined
      if (!isRight) throw new rules.WrongCodeError()
      await throttle.forgive(subject)
      await transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, caller.user_id)
        const taken = await factors.takeSetup(trx, user.id)
        if (!taken || taken.sealed !== setup.sealed) throw new rules.NothingToConfirmError()
        const { provider } = taken
        await factors.put(trx, {
          user_id: user.id,
          provider,
          sealed: taken.sealed,
          confirmed_at: now(),
          last_step: step ?? null,
        })
        await factors.replaceBackupCodes(trx, user.id, taken.backup_codes_sha256)
        const others = user.two_factor_auth.filter((one) => one !== provider)
        const two_factor_auth = taken.is_default ? [provider, ...others] : [...others, provider]
        await accounts.change(trx, user.id, { two_factor_auth })
        for (const follow of whenEnabled) await follow(trx, caller)
        await audit.note(trx, 'second_factor.enabled', { actor_id: user.id, details: { provider } })
        await accounts.tellToOwner(
          trx,
          user,
          'Your second factor was changed',
          `Logging in asks for a code now (${provider}).`,
          { told: 'second_factor', provider },
        )
      })
    },

    /** Throws unless it is a code that this session may give now; every code works once. */
    async verify(user: User, session_id: string, text: string): Promise<void> {
      const { kind, text: code } = rules.readCode(text)
      const subject = codeSubject(user.id)
      if (user.two_factor_auth.length === 0) throw new rules.NotEnabledError()
      await throttle.takeTry(subject)
      const verdict =
        kind === 'backup'
          ? await judgeBackupCode(user.id, code)
          : await judgeDigits(user.id, session_id, code)
      const note = { actor_id: user.id, details: { kind } }
      if (verdict !== 'right') {
        await audit.note(db, 'second_factor.given', { ...note, result: 'refused' })
        if (verdict === 'wrong') throw new rules.WrongCodeError()
        // Whoever has a code of the app does not guess.
        await throttle.takeBack(subject)
        throw new rules.UsedCodeError()
      }
      await throttle.forgive(subject)
      await audit.note(db, 'second_factor.given', note)
    },

    async disable(caller: Principal, { provider, disable_all }: DisableBody): Promise<void> {
      if (!disable_all && !provider) throw new rules.ProviderMissingError()
      await transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, caller.user_id)
        const removed = disable_all || !provider ? user.two_factor_auth : [provider]
        const isInForce =
          removed.length > 0 && removed.every((one) => user.two_factor_auth.includes(one))
        if (!isInForce) throw new rules.NotEnabledError()
        await removeFactors(trx, user, removed)
        await audit.note(trx, 'second_factor.removed', { actor_id: user.id, details: { removed } })
        await tellRemoved(trx, user, 'by you')
      })
    },

    /** For who has lost the phone: a backup code removes the second factor and ends all sessions. */
    async disableByBackupCode(body: BackupDisableBody, address: string): Promise<void> {
      const { email, alternate_id, provider, disable_all } = body
      if (!email && !alternate_id) throw new rules.NameMissingError()
      const hash = rules.backupHash(rules.readBackupCode(body.backup_code))
      const network = networkOf(address)
      const named = nameSubjects(`backup ${email?.toLowerCase() ?? alternate_id}`, network)
      const tried = [...named, ...networkSubjects(network)]
      await throttle.assertOpen(...tried)
      const found = email
        ? await accounts.findByEmail(email)
        : await accounts.findByAlternateId(alternate_id ?? '')
      const isDone = await transact(db, async (trx) => {
        if (!found || found.deactivated_at) return false
        const user = await accounts.loadToChange(trx, found.id)
        const removed = provider && !disable_all ? [provider] : user.two_factor_auth
        if (removed.length === 0) return false
        if (removed.some((one) => !user.two_factor_auth.includes(one))) return false
        if (!(await factors.takeBackupCode(trx, user.id, hash))) return false
        await removeFactors(trx, user, removed)
        await accounts.endSessions(trx, user.id)
        const details = { removed, by: 'backup code' }
        await audit.note(trx, 'second_factor.removed', { actor_id: user.id, details })
        await tellRemoved(trx, user, 'with a backup code, and all sessions ended')
        return true
      })
      if (isDone) return
      await throttle.noteFailure(...tried)
      throw new rules.WrongCodeError('backup_code')
    },

    /**
     * Sends a code to the phone in force, or to one that is being set up: whoever could set it up
     * owes no other code.
     */
    async sendCode(caller: Principal) {
      return transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, caller.user_id)
        const owesCode = caller.kind === 'pending' || caller.second_factor?.isFresh === false
        const setup = owesCode ? undefined : await factors.findSetup(trx, user.id)
        const isSettingUp = setup?.provider === 'SMS' && rules.isOpen(setup, now())
        const chosen = isSettingUp ? setup : await factors.find(trx, user.id, 'SMS')
        if (!chosen || !caller.session_id) throw new rules.NotEnabledError()
        const purpose = isSettingUp ? 'confirm' : 'give'
        const phone = rules.readPhone(open(chosen), purpose, smsLimits.countries)
        await sendSms(trx, user, { session_id: caller.session_id, purpose }, phone)
        const phone_last_digits = rules.lastDigits(phone.number)
        return { message: 'A code is on its way.', phone_last_digits }
      })
    },

    /** Removes what its owner has lost, after the wait. */
    async removeLost(trx: Transaction, user: User): Promise<void> {
      const removed = user.two_factor_auth
      await removeFactors(trx, user, removed)
      await accounts.endSessions(trx, user.id)
      const details = { removed, by: 'recovery' }
      await audit.note(trx, 'second_factor.removed', { actor_id: user.id, details })
      await tellRemoved(trx, user, 'after three days in which nobody gave a code')
    },

    /** The phone in force, if text messages are sent to it. */
    async phoneOf(trx: Transaction, user: User): Promise<string | undefined> {
      const factor = await factors.find(trx, user.id, 'SMS')
      const phone = factor && parsePhone(open(factor))
      return phone && smsLimits.countries.has(phone.country) ? phone.number : undefined
    },

    /** Support removes what somebody cannot give any more. */
    async removeFor(caller: Principal, user_id: string, reason: string): Promise<void> {
      await transact(db, async (trx) => {
        const user = await accounts.loadToChange(trx, user_id)
        assertMayChange(caller, user)
        if (user.two_factor_auth.length === 0) throw new rules.NotEnabledError()
        await removeFactors(trx, user, user.two_factor_auth)
        await accounts.endSessions(trx, user.id)
        const noted = { actor_id: caller.user_id, subject_id: user_id, details: { reason } }
        await audit.note(trx, 'second_factor.removed', noted)
        await tellRemoved(trx, user, 'by our support, and all sessions ended')
      })
    },

    // Twice as long as limits look back, so that the clocks of processes may differ.
    purge: () => factors.forgetBefore(db, new Date(now().getTime() - 2 * rules.dayMs)),
  }
}

/** Wraps every second factor with the current master key. Answers how many it was. */
export const rewrapSecondFactors = (db: Database, sealer: Sealer): Promise<number> =>
  factors.rewrap(db, (user_id, provider, sealed) =>
    sealer.rewrap(sealed, placeOf(user_id, provider)),
  )

/** Sealed for this user alone. */
const placeOf = (user_id: string, provider: Provider): string => `${provider} of ${user_id}`
