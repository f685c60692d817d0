import { adminSeed } from '../../demo/admin.ts'
import type { Parts } from '../../parts.ts'
import { createRecaptcha, noCaptcha } from '../../platform/captcha/captcha.ts'
import { mount } from '../../platform/http/mount.ts'
import { purgeJobs } from '../../platform/jobs/jobs.ts'
import { createPasswords } from '../../platform/passwords/passwords.ts'
import type { Operations } from '../operations/index.ts'
import { createAccounts } from './accounts/accounts.ts'
import { createApiKeys } from './api-keys/api-keys.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { createKeys } from './keys/keys.ts'
import { keyRoutes } from './keys/routes.ts'
import { createLinks, purgeLinks } from './links/links.ts'
import { createLogin } from './login/login.ts'
import { loginRoutes } from './login/routes.ts'
import { createMailbox, mailboxJobs } from './mailbox/mailbox.ts'
import { createOrganizations, purgeInvitations } from './organizations/organizations.ts'
import { organizationRoutes } from './organizations/routes.ts'
import { createPasskeys, purgeChallenges } from './passkeys/passkeys.ts'
import { createRecovery, purgeRecoveries } from './recovery/recovery.ts'
import { recoveryRoutes } from './recovery/routes.ts'
import { createRemovals, purgePeople } from './removals/removals.ts'
import { secondFactorRoutes } from './second-factor/routes.ts'
import { createSecondFactor, purgeFactors } from './second-factor/second-factor.ts'
import { sessionRoutes } from './sessions/routes.ts'
import { createSessions, purgeSessions } from './sessions/sessions.ts'
import { createThrottle, purgeFailures } from './throttle/throttle.ts'
import { walletRoutes } from './wallets/routes.ts'
import { createWallets } from './wallets/wallets.ts'

export type Identity = ReturnType<typeof createIdentityWing>['services']

/** Accounts, sessions, second factors, keys and organizations. */
export function createIdentityWing(parts: Parts & Operations) {
  const { config, sealer, authUrl } = parts
  const passwords = createPasswords(parts.hashing, parts.patience)
  const throttle = createThrottle(parts)
  const links = createLinks({ ...parts, magicLinkMs: config.magic_link_ms })
  const keys = createKeys(parts)
  const accounts = createAccounts({
    ...parts,
    keys,
    links,
    throttle,
    passwords,
    freeCeiling: config.free_ceiling_cents,
  })
  const removals = createRemovals({
    ...parts,
    accounts,
    restMs: config.rest_after_removal_ms,
  })
  const mailbox = createMailbox({ ...parts, accounts, links })
  const organizations = createOrganizations({
    ...parts,
    accounts,
    keys,
    removals,
    memberKey: sealer.derive('members of organizations'),
  })
  const secondFactor = createSecondFactor({
    ...parts,
    accounts,
    throttle,
    smsLimits: config.sms_limits,
  })
  const recovery = createRecovery({ ...parts, accounts, links, secondFactor })
  const operatorsNeedCodes = !config.is_local
  const apiKeys = createApiKeys({ ...parts, accounts, secondFactor, operatorsNeedCodes })
  const wallets = createWallets({ ...parts, accounts })
  const passkeys = createPasskeys({ ...parts, accounts, secondFactor })
  const sessions = createSessions({
    ...parts,
    accounts,
    secondFactor,
    recovery,
    operatorsNeedCodes,
    issuer: authUrl,
    audience: config.base_url,
    graceMs: config.two_factor_grace_ms,
    successionKey: sealer.derive('refresh token succession'),
  })
  const atApplications = sessions.atSite('authorization')
  const webSessions = sessions.atSite('web')
  const login = createLogin({
    ...parts,
    accounts,
    sessions,
    atApplications,
    webSessions,
    links,
    mailbox,
    throttle,
    passwords,
    captcha: config.recaptcha ? createRecaptcha(config.recaptcha) : noCaptcha,
    deviceKey: sealer.derive('devices that logged in before'),
  })
  return {
    services: {
      passwords,
      throttle,
      links,
      keys,
      accounts,
      removals,
      mailbox,
      organizations,
      secondFactor,
      recovery,
      operatorsNeedCodes,
      apiKeys,
      wallets,
      passkeys,
      sessions,
      atApplications,
      webSessions,
      login,
    },
    routes: [
      mount(loginRoutes, { login }),
      mount(sessionRoutes, { sessions }),
      mount(secondFactorRoutes, { secondFactor }),
      mount(apiKeyRoutes, { apiKeys }),
      mount(keyRoutes, { keys }),
      mount(walletRoutes, { wallets }),
      mount(organizationRoutes, { organizations }),
      mount(recoveryRoutes, { recovery }),
    ],
    jobs: [
      purgeJobs(parts, [
        ['links.purge', '17 * * * *', purgeLinks],
        ['sessions.purge', '27 4 * * *', purgeSessions],
        ['throttle.purge', '37 * * * *', purgeFailures],
        ['two_factor.purge', '47 * * * *', purgeFactors],
        ['recovery.purge', '41 * * * *', purgeRecoveries],
        ['removals.purge', '53 3 * * *', purgePeople],
        ['passkeys.purge', '23 * * * *', purgeChallenges],
        ['organizations.purge_invitations', '37 4 * * *', purgeInvitations],
      ]),
      mailboxJobs(mailbox),
    ],
    seeds: config.admin ? [] : [adminSeed(accounts, parts.announce)],
  }
}
