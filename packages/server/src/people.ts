import { createAccounts } from './features/accounts/index.ts'
import { createApiKeys } from './features/api-keys/index.ts'
import { createAudit } from './features/audit/index.ts'
import { createAuthorization } from './features/authorization/index.ts'
import { createEmojiIds } from './features/emoji-ids/index.ts'
import { createKeys } from './features/keys/index.ts'
import { createLinks, linkJobs } from './features/links/index.ts'
import { createLogin } from './features/login/index.ts'
import { createMailbox, mailboxJobs } from './features/mailbox/index.ts'
import type { Notifications } from './features/notifications/index.ts'
import { createOauth, oauthJobs } from './features/oauth/index.ts'
import { createOauthClients } from './features/oauth-clients/index.ts'
import { createOrganizations } from './features/organizations/index.ts'
import { createProfile } from './features/profile/index.ts'
import { createRecovery, recoveryJobs } from './features/recovery/index.ts'
import { createSessions, sessionJobs } from './features/sessions/index.ts'
import { createSiteSessions } from './features/site-sessions/index.ts'
import { createThrottle, throttleJobs } from './features/throttle/index.ts'
import { createTransfers, transferJobs } from './features/transfers/index.ts'
import { createSecondFactor, twoFactorJobs } from './features/two-factor/index.ts'
import { createUsers } from './features/users/index.ts'
import { createWallets } from './features/wallets/index.ts'
import type { Parts } from './parts.ts'
import { createRecaptcha, noCaptcha } from './platform/captcha/captcha.ts'
import { createPasswords } from './platform/passwords/passwords.ts'

export type People = ReturnType<typeof createPeople>

/** Who may do what: everything around accounts. */
export function createPeople(parts: Parts & { notifications: Notifications }) {
  const { config, db, prepare, monitor, sealer, keyRing, now, notifications } = parts
  const { auth_url: authUrl, web_url: webUrl } = config
  const audit = createAudit({ db, now })
  const throttle = createThrottle({ db, now })
  const passwords = createPasswords(parts.hashingCost)
  const links = createLinks({ db, now, magicLinkMs: config.magic_link_ms })
  const keys = createKeys({ db, sealer, audit, now })
  const accounts = createAccounts({
    db,
    keys,
    links,
    notifications,
    audit,
    throttle,
    passwords,
    now,
    authUrl,
  })
  const mailbox = createMailbox({ db, accounts, links, notifications, audit, now, authUrl, webUrl })
  const organizations = createOrganizations({ db, accounts, audit, now })
  const secondFactor = createSecondFactor({
    db,
    accounts,
    notifications,
    audit,
    throttle,
    sealer,
    now,
    log: parts.log,
    smsLimits: config.sms_limits,
  })
  const recovery = createRecovery({
    db,
    accounts,
    links,
    secondFactor,
    notifications,
    audit,
    now,
    authUrl,
  })
  const operatorsNeedCodes = !config.has_dev_pages
  const apiKeys = createApiKeys({
    db,
    prepare,
    accounts,
    secondFactor,
    audit,
    now,
    operatorsNeedCodes,
  })
  const wallets = createWallets({ db, accounts, audit, now })
  const sessions = createSessions({
    db,
    prepare,
    accounts,
    audit,
    keyRing,
    now,
    issuer: authUrl,
    audience: config.base_url,
    secondFactor,
    recovery,
    graceMs: config.two_factor_grace_ms,
    operatorsNeedCodes,
    successionKey: sealer.derive('refresh token succession'),
  })
  const captcha = config.recaptcha ? createRecaptcha(config.recaptcha) : noCaptcha
  const onSite = { db, sessions, audit, now }
  const atApplications = createSiteSessions({ ...onSite, site: 'authorization' })
  const webSessions = createSiteSessions({ ...onSite, site: 'web' })
  const login = createLogin({
    db,
    accounts,
    sessions,
    atApplications,
    mailbox,
    throttle,
    audit,
    passwords,
    captcha,
    deviceKey: sealer.derive('devices that logged in before'),
  })
  const emojiIds = createEmojiIds({ db, monitor, accounts, organizations, keys, audit, now })
  const transfers = createTransfers({ db, accounts, emojiIds, notifications, audit, now })
  const users = createUsers({ db, accounts, emojiIds, recovery, audit, now })
  const profile = createProfile({
    accounts,
    users,
    organizations,
    sessions,
    wallets,
    emojiIds,
    transfers,
  })
  const oauthClients = createOauthClients({ db, organizations, throttle, audit, now })
  const oauth = createOauth({
    db,
    prepare,
    accounts,
    emojiIds,
    oauthClients,
    sessions,
    audit,
    keyRing,
    now,
    issuer: authUrl,
    audience: config.base_url,
    operatorsNeedCodes,
    successionKey: sealer.derive('refresh tokens of applications'),
  })
  const authorization = createAuthorization({
    accounts,
    login,
    mailbox,
    sessions: atApplications,
    secondFactor,
    now,
    operatorsNeedCodes,
    formKey: sealer.derive('forms of the authorization site'),
  })
  const jobs = [
    linkJobs(links),
    mailboxJobs(mailbox),
    sessionJobs(sessions),
    throttleJobs(throttle),
    twoFactorJobs(secondFactor),
    recoveryJobs(recovery),
    transferJobs(transfers),
    oauthJobs(oauth),
  ]
  return {
    audit,
    accounts,
    users,
    mailbox,
    organizations,
    sessions,
    login,
    profile,
    jobs,
    secondFactor,
    apiKeys,
    keys,
    wallets,
    links,
    emojiIds,
    throttle,
    transfers,
    authorization,
    oauth,
    oauthClients,
    webSessions,
    passwords,
    recovery,
  }
}
