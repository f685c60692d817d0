import { availableParallelism } from 'node:os'
import { join, resolve } from 'node:path'
import { isLoopback } from '@emojid/core'
import { type Recaptcha, readRecaptcha } from './config-captcha.ts'
import { type Btcpay, readProviders, type Stripe } from './config-payments.ts'
import {
  addressList,
  addressWith,
  assertOwnSecret,
  contactLink,
  countrySet,
  databaseAddress,
  day,
  ethereumKey,
  keyList,
  languageList,
  mailAddress,
  oneOf,
  pageLink,
  plainAddress,
  publicAddress,
  reportSharedKeys,
  reportStrays,
  wholeNumber,
  yesOrNo,
} from './config-values.ts'
import type { SecurityContact, SiteLinks } from './platform/http/pages/links.ts'
import { type LogLevel, logLevels } from './platform/log/log.ts'
import type { SmsLimits } from './platform/sms/phones.ts'
import { dayMs, daySeconds, hourSeconds } from './platform/time.ts'

const roles = ['api', 'auth', 'web', 'worker'] as const
type Role = (typeof roles)[number]

export type Config = Readonly<{
  host: string
  port: number
  /** A separate port, never reachable through the public addresses. */
  metrics_host: string
  metrics_port: number
  /** True if the operator set that port: the service then does not start without it. */
  metrics_required: boolean
  data_dir: string
  /** Absent: the service runs its own PostgreSQL under `data_dir`. */
  database_url: string | undefined
  /** A streaming replica for lookups, and the maximum replication lag. */
  database_replica_url: string | undefined
  replica_max_behind_ms: number
  database_pool_size: number
  /** Public addresses without a trailing slash. Links are built from these only. */
  base_url: string
  web_url: string
  auth_url: string
  /** Pages of the operator that all our pages and emails link to. */
  links: SiteLinks
  /** The contact for reports of weaknesses, in `/.well-known/security.txt`. */
  security: SecurityContact | undefined
  /** The seller on printed invoices. */
  company: { name: string; tax_id: string }
  roles: ReadonlySet<Role>
  /** HTTP processes behind the port. Above 1 a supervisor runs them, and one process for jobs. */
  processes: number
  /** Addresses of the proxies whose forwarded headers are trusted. */
  trust_proxy: readonly string[]
  /** All public addresses are loopback: a demonstration on one machine, with `/dev`. */
  loopback: boolean
  seed_demo: boolean
  /** Loopback addresses and no production: operators need no second factor, secrets are generated. */
  is_local: boolean
  /** Serves {web_url}/dev, which shows all emails. */
  has_dev_pages: boolean
  /** Master keys: the first seals, all open. Generated in the demonstration. */
  master_keys: readonly Buffer[] | undefined
  /** Seeds of the keys for access tokens: the first signs, all verify. */
  signing_keys: readonly Buffer[] | undefined
  /** The private key that signs mint permissions. Generated in the demonstration. */
  mint_signer_key: Buffer | undefined
  /** The first administrator, created at the start unless the account exists. */
  admin: Readonly<{ email: string; password: string }> | undefined
  /** Lifetime of a sign-in link. */
  magic_link_ms: number
  /** Sensitive operations need no new code for this long after one. */
  two_factor_grace_ms: number
  /** Absent: no captcha. */
  recaptcha: Recaptcha | undefined
  /** The mail server; absent in the demonstration, which captures emails. */
  smtp_url: string | undefined
  mail_from: string
  /** The address in emails and pages about suspended ids. */
  appeals_email: string
  sms_url: string | undefined
  sms_limits: SmsLimits
  /** Cards; absent in the demonstration, which uses a sandbox. */
  stripe: Stripe | undefined
  /** Cryptocurrencies; absent in the demonstration, which uses a sandbox. */
  btcpay: Btcpay | undefined
  /** The port of the sandbox providers; absent with real ones. */
  sandbox_port: number | undefined
  /** How long a checkout holds its ids for the buyer. */
  cart_ttl_ms: number
  /** The highest price of a free id, in cents. */
  free_ceiling_cents: number
  /** Above this amount a checkout is a sensitive operation. */
  checkout_2fa_cents: number
  /** How long after a card payment an id cannot be minted. */
  mint_after_card_ms: number
  /** How long an id that an operator released is not for sale. */
  rest_after_removal_ms: number
  cash_four_eyes: boolean
  /** The fee added to every price. */
  company_fee_percent: number
  /** Possible paths of ffmpeg, which makes the videos. */
  ffmpeg_places: readonly string[]
  /** True if lootboxes are on sale. */
  lootbox_sale: boolean
  /** Capacity of the lookup cache in ids; 0 turns it off. */
  lookup_cache_ids: number
  /** The max-age of lookups in the caches of clients. */
  lookup_max_age: number
  /** True if search, random and recent ids require a sign-in. */
  catalog_requires_token: boolean
  /** From this date on, signatures of old clients are rejected for every code. */
  legacy_challenge_until: Date
  log_level: LogLevel
  /** How long a stopping process keeps serving until load balancers see that it is not ready. */
  drain_ms: number
}>

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment once and reports all problems together. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const isGiven = (name: string): boolean => Boolean(environment[name]?.trim())
  const read = <Value>(name: string, fallback: Value, parse: (text: string) => Value): Value => {
    const text = environment[name]?.trim()
    if (!text) return fallback
    try {
      if (secretVariables.has(name)) assertOwnSecret(text)
      return parse(text)
    } catch (error) {
      const displayText = secretVariables.has(name) ? 'not right' : `"${text}"`
      problems.push(`${name} is ${displayText}: ${(error as Error).message}`)
      return fallback
    }
  }

  /** Both, or neither. */
  const readAdmin = () => {
    const email = read('ADMIN_EMAIL', undefined, plainAddress)
    const password = read('ADMIN_PASSWORD', undefined, String)
    if (email !== undefined && password !== undefined) return { email, password }
    if (isGiven('ADMIN_EMAIL') !== isGiven('ADMIN_PASSWORD')) {
      problems.push(
        'ADMIN_EMAIL and ADMIN_PASSWORD create the first administrator together: give both.',
      )
    }
    return undefined
  }
  const readSecurity = () => {
    const contact = read('SECURITY_CONTACT', undefined, contactLink)
    const expires = read('SECURITY_EXPIRES', undefined, day)
    const languages = read('SECURITY_LANGUAGES', 'en', languageList)
    if (contact !== undefined && !isGiven('SECURITY_EXPIRES')) {
      problems.push(
        'SECURITY_CONTACT is set, but SECURITY_EXPIRES is not: give the day by which you check the ' +
          'contact again, at most a year from now.',
      )
    }
    return contact === undefined || !expires ? undefined : { contact, expires, languages }
  }
  const chosenRoles = read('ROLES', new Set(roles), roleSet)
  const reading = { read, isGiven, problems }
  reportStrays(reading, ['SECURITY_EXPIRES', 'SECURITY_LANGUAGES'], 'SECURITY_CONTACT')

  const port = read('PORT', 3000, wholeNumber(1, 65_535))
  const web_url = read('WEB_URL', `http://localhost:${port}`, publicAddress)
  const base_url = read('BASE_URL', `http://localhost:${port}/api`, publicAddress)
  const auth_url = read('AUTH_URL', `http://localhost:${port}/auth`, publicAddress)
  const loopback = [web_url, base_url, auth_url].every((url) => isLoopback(new URL(url).hostname))
  const { stripe, btcpay } = readProviders(reading)
  const isProduction = environment['NODE_ENV']?.trim().toLowerCase() === 'production'
  // Demo accounts and play money must not get into an operator's database by default.
  const is_local = loopback && !isProduction
  const isDemoUsual = loopback && !isProduction && !isGiven('DATABASE_URL')
  const seed_demo = read('SEED_DEMO', isDemoUsual, yesOrNo)
  const isSandboxed = read(
    'SANDBOX_PAYMENTS',
    loopback && seed_demo && !isProduction && !stripe && !btcpay,
    yesOrNo,
  )
  const servesSites = hasSites({ roles: chosenRoles })
  const usualProcesses = isGiven('DATABASE_URL') && !loopback && servesSites ? allCores() : 1
  const mail_from = read('MAIL_FROM', 'Emoji Id Directory <no-reply@localhost>', mailAddress)
  const config: Config = {
    host: read('HOST', loopback ? '127.0.0.1' : '0.0.0.0', String),
    port,
    metrics_host: read('METRICS_HOST', '127.0.0.1', String),
    metrics_port: read('METRICS_PORT', 9464, wholeNumber(1, 65_535)),
    metrics_required: isGiven('METRICS_PORT'),
    data_dir: resolve(read('DATA_DIR', 'data', String)),
    database_url: read('DATABASE_URL', undefined, databaseAddress),
    database_replica_url: read('DATABASE_REPLICA_URL', undefined, databaseAddress),
    replica_max_behind_ms: read('REPLICA_MAX_BEHIND_SECONDS', 5, wholeNumber(1, 60)) * 1_000,
    database_pool_size: read('DATABASE_POOL_SIZE', 10, wholeNumber(2, 100)),
    base_url,
    web_url,
    auth_url,
    links: {
      terms: read('TERMS_URL', undefined, pageLink),
      privacy: read('PRIVACY_URL', undefined, pageLink),
      imprint: read('IMPRINT_URL', undefined, pageLink),
      support: read('SUPPORT_URL', undefined, contactLink),
    },
    security: readSecurity(),
    company: {
      name: read('COMPANY_NAME', 'Emoji Id Directory', String),
      tax_id: read('COMPANY_TAX_ID', '', String),
    },
    roles: chosenRoles,
    processes: read('PROCESSES', usualProcesses, processCount),
    trust_proxy: read('TRUST_PROXY', [], addressList),
    loopback,
    seed_demo,
    is_local,
    has_dev_pages: read('DEV_PAGES', is_local, yesOrNo),
    master_keys: read('MASTER_KEY', undefined, keyList),
    signing_keys: read('SIGNING_KEYS', undefined, keyList),
    mint_signer_key: read('MINT_SIGNER_KEY', undefined, ethereumKey),
    admin: readAdmin(),
    magic_link_ms: read('MAGIC_LINK_SECONDS', 600, wholeNumber(1, hourSeconds)) * 1_000,
    two_factor_grace_ms: read('TWO_FACTOR_GRACE_SECONDS', 900, wholeNumber(1, daySeconds)) * 1_000,
    recaptcha: readRecaptcha({ ...reading, hasPages: chosenRoles.has('web'), web_url }),
    smtp_url: read('SMTP_URL', undefined, addressWith('smtp:', 'smtps:')),
    mail_from,
    appeals_email: read('APPEALS_EMAIL', addressIn(mail_from), plainAddress),
    sms_url: read('SMS_URL', undefined, addressWith('https:', 'http:')),
    sms_limits: {
      countries: read('SMS_COUNTRIES', defaultSmsCountries, countrySet),
      perCountry: read('SMS_PER_COUNTRY_PER_DAY', 500, wholeNumber(0, 100_000)),
      perDay: read('SMS_PER_DAY', 1_000, wholeNumber(0, 100_000)),
    },
    stripe,
    btcpay,
    sandbox_port: isSandboxed
      ? read('SANDBOX_PORT', port + 100, wholeNumber(1, 65_535))
      : undefined,
    cart_ttl_ms: read('CART_TTL_SECONDS', 300, wholeNumber(1, daySeconds)) * 1_000,
    free_ceiling_cents: read('FREE_CEILING_CENTS', 0, wholeNumber(0, 100_000_000)),
    checkout_2fa_cents: read('CHECKOUT_2FA_CENTS', 50_000, wholeNumber(0, 1_000_000_000)),
    mint_after_card_ms: read('MINT_AFTER_CARD_DAYS', 14, wholeNumber(0, 365)) * dayMs,
    rest_after_removal_ms: read('REST_AFTER_REMOVAL_DAYS', 90, wholeNumber(0, 3_650)) * dayMs,
    cash_four_eyes: read('CASH_FOUR_EYES', false, yesOrNo),
    company_fee_percent: read('COMPANY_FEE_PERCENT', 0, wholeNumber(0, 100)),
    ffmpeg_places: read('FFMPEG_PATH', onPath('ffmpeg', environment['PATH']), (path) => [path]),
    lootbox_sale: read('LOOTBOX_SALE', false, yesOrNo),
    lookup_cache_ids: read('LOOKUP_CACHE_IDS', 20_000, wholeNumber(0, 10_000_000)),
    lookup_max_age: read('LOOKUP_MAX_AGE', 0, wholeNumber(0, daySeconds)),
    catalog_requires_token: read('CATALOG_REQUIRES_TOKEN', false, yesOrNo),
    legacy_challenge_until: read('LEGACY_CHALLENGE_UNTIL', new Date('2027-07-01T00:00:00Z'), day),
    log_level: read('LOG_LEVEL', loopback ? 'warn' : 'info', oneOf(logLevels)),
    drain_ms: read('DRAIN_SECONDS', 1, wholeNumber(0, 60)) * 1_000,
  }

  if (loopback && isGiven('DATABASE_URL') && !isGiven('SEED_DEMO')) {
    problems.push(
      'DATABASE_URL is set, but all public addresses are loopback. Give BASE_URL, WEB_URL and ' +
        'AUTH_URL; or SEED_DEMO=true for a demonstration on that database, or SEED_DEMO=false for ' +
        'a local service without one.',
    )
  }
  if (isProduction && loopback && (seed_demo || isSandboxed || !isGiven('SEED_DEMO'))) {
    problems.push(
      'NODE_ENV is production, but all public addresses are loopback, as in a demonstration. Give ' +
        'BASE_URL, WEB_URL and AUTH_URL; or SEED_DEMO=false for a local service without demo data.',
    )
  }
  if (isProduction && isUnread(config.appeals_email)) {
    problems.push(
      `Appeals against a suspension would go to ${config.appeals_email}, which takes no mail. Set ` +
        'APPEALS_EMAIL to a mailbox that your support reads.',
    )
  }
  if (config.seed_demo && !loopback) {
    problems.push(
      'SEED_DEMO is on, but a public address is not loopback: demo accounts have known secrets. ' +
        'Remove SEED_DEMO, or point BASE_URL, WEB_URL and AUTH_URL at localhost.',
    )
  }
  if (isSandboxed && (!loopback || stripe || btcpay)) {
    problems.push(
      'SANDBOX_PAYMENTS is on, but a public address is not loopback or a real provider has its keys: ' +
        'anyone can pay with play money in the sandbox. Remove SANDBOX_PAYMENTS.',
    )
  }
  if (loopback && !isLoopback(config.host)) {
    problems.push(
      `HOST is "${config.host}", but all public addresses are loopback, which opens the development pages. ` +
        'Remove HOST, or set BASE_URL, WEB_URL and AUTH_URL to the public addresses.',
    )
  }
  if (config.has_dev_pages && !is_local) {
    problems.push(
      'DEV_PAGES is on, but a public address is not loopback or NODE_ENV is production: the pages ' +
        'show the emails of all accounts. Remove DEV_PAGES.',
    )
  }
  const exposing = [
    ...(config.trust_proxy.length > 0 ? ['TRUST_PROXY'] : []),
    ...(stripe && !isLocalUrl(stripe.api_url) ? ['STRIPE_SECRET_KEY'] : []),
    ...(btcpay && !isLocalUrl(btcpay.url) ? ['BTCPAY_API_KEY'] : []),
  ]
  if (is_local && config.has_dev_pages && exposing.length > 0) {
    problems.push(
      `${exposing.join(' and ')} would be used beside the development pages, which show the emails of all ` +
        'accounts. Give BASE_URL, WEB_URL and AUTH_URL the public addresses, or set DEV_PAGES=false ' +
        'for a local service without these pages.',
    )
  }
  if (!is_local) {
    for (const [name, value] of Object.entries({
      MASTER_KEY: config.master_keys,
      SIGNING_KEYS: config.signing_keys,
      MINT_SIGNER_KEY: config.mint_signer_key,
      SMTP_URL: config.smtp_url,
    })) {
      if (value === undefined && !isGiven(name)) problems.push(missing(name))
    }
  }
  reportSharedKeys(problems, {
    MASTER_KEY: config.master_keys,
    SIGNING_KEYS: config.signing_keys,
    MINT_SIGNER_KEY: config.mint_signer_key && [config.mint_signer_key],
  })
  if (config.processes > 1 && !servesSites) {
    problems.push('PROCESSES counts HTTP processes, but ROLES has only worker: remove PROCESSES.')
  }
  if (config.database_replica_url && !config.database_url) {
    problems.push('DATABASE_REPLICA_URL is set, but DATABASE_URL is not: give its primary too.')
  }
  if (config.port === config.metrics_port) {
    problems.push(`PORT and METRICS_PORT are both ${port}: give METRICS_PORT another one.`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

/** Countries with low prices for text messages and little fraud. */
const defaultSmsCountries = countrySet(
  'AT,AU,BE,CA,CH,CZ,DE,DK,ES,FI,FR,GB,GR,HU,IE,IS,IT,JP,KR,LU,NL,NO,NZ,PL,PT,SE,SG,SK,US',
)

const secretVariables = new Set([
  'DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'MASTER_KEY',
  'SIGNING_KEYS',
  'MINT_SIGNER_KEY',
  'SMTP_URL',
  'SMS_URL',
  'ADMIN_PASSWORD',
  'RECAPTCHA_SECRET',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'BTCPAY_API_KEY',
  'BTCPAY_WEBHOOK_SECRET',
])

/** The address of a sender such as `Name <name@example.com>`. */
const addressIn = (sender: string): string => /<([^<>]+)>$/.exec(sender)?.[1] ?? sender

/** Whether an address is by its name for sending only. */
const isUnread = (address: string): boolean => /^(no|do-?not)[-_.]?reply(\+[^@]*)?@/i.test(address)

const missing = (name: string): string =>
  `${name} is missing. Only the demonstration on loopback addresses works without it; ` +
  `see docs/operations.md.`

/** A provider on this machine stands in for the real one. */
const isLocalUrl = (url = ''): boolean => URL.canParse(url) && isLoopback(new URL(url).hostname)

/** Candidate paths of a program along PATH. */
const onPath = (program: string, path = ''): string[] =>
  path
    .split(':')
    .filter((folder) => folder.startsWith('/'))
    .map((folder) => join(folder, program))

/** False for a process that only runs jobs. */
export const hasSites = ({ roles }: Pick<Config, 'roles'>): boolean =>
  [...roles].some((role) => role !== 'worker')

const mostProcesses = 64

const allCores = (): number => Math.min(availableParallelism(), mostProcesses)

function processCount(text: string): number {
  if (text === 'auto') return allCores()
  try {
    return wholeNumber(1, mostProcesses)(text)
  } catch {
    throw new Error(`give auto, or a whole number from 1 to ${mostProcesses}.`)
  }
}

function roleSet(text: string): ReadonlySet<Role> {
  return new Set(text.split(',').map((role) => oneOf(roles)(role.trim())))
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(problems: readonly string[]) {
    super(`The configuration is invalid.\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}
