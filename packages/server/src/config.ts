import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { type LogLevel, logLevels } from './platform/log/log.ts'
import { isPlainAddress } from './platform/mail/address.ts'

const roles = ['api', 'auth', 'web', 'worker'] as const
type Role = (typeof roles)[number]

export type Config = Readonly<{
  host: string
  port: number
  /** A port of its own, never reachable through the public addresses. */
  metrics_host: string
  metrics_port: number
  /** Whether the operator asked for that port: then the service does not start without it. */
  metrics_required: boolean
  data_dir: string
  /** Absent: the service runs a PostgreSQL of its own under `data_dir`. */
  database_url: string | undefined
  database_pool_size: number
  /** Public addresses, without a slash at the end. Links are built from these alone. */
  base_url: string
  web_url: string
  auth_url: string
  roles: ReadonlySet<Role>
  /** Addresses of the proxies whose forwarded headers count. */
  trust_proxy: readonly string[]
  /** All public addresses are loopback: a demonstration on one machine, with `/dev`. */
  loopback: boolean
  seed_demo: boolean
  /** Keys that wrap everything sealed: the first seals, the others open. Generated in the demonstration. */
  master_keys: readonly Buffer[] | undefined
  /** Seeds of the keys that sign access tokens: the first signs, the others are still believed. */
  signing_keys: readonly Buffer[] | undefined
  /** The first administrator, made at the start unless there is such a user. */
  admin: Readonly<{ email: string; password: string }> | undefined
  /** How long a sign-in link works. */
  magic_link_ms: number
  /** How long after a code sensitive operations need no new one. */
  two_factor_grace_ms: number
  /** Absent: nobody is asked to prove that they are a person. */
  recaptcha: Readonly<{ url: string; secret: string; hostnames: readonly string[] }> | undefined
  /** Where mails go; absent in the demonstration, where they are kept and shown. */
  smtp_url: string | undefined
  mail_from: string
  sms_url: string | undefined
  /** Ids whose records this process remembers; 0 remembers none. */
  lookup_cache_ids: number
  /** How long others may keep a lookup without asking again. */
  lookup_max_age: number
  /** Whether search, random and recent ids are for users alone. */
  catalog_requires_token: boolean
  log_level: LogLevel
  /** How long a stopping process still answers while balancers notice that it is not ready. */
  drain_ms: number
}>

type Environment = Readonly<Record<string, string | undefined>>

/** Reads the environment once, completely; whatever is wrong is told in one go. */
export function readConfig(environment: Environment): Config {
  const problems: string[] = []
  const read = <Value>(name: string, fallback: Value, parse: (text: string) => Value): Value => {
    const text = environment[name]?.trim()
    if (!text) return fallback
    try {
      return parse(text)
    } catch (error) {
      const shown = secretVariables.has(name) ? 'not right' : `"${text}"`
      problems.push(`${name} is ${shown}: ${(error as Error).message}`)
      return fallback
    }
  }

  /** Both, or neither. */
  const readAdmin = () => {
    const email = read('ADMIN_EMAIL', undefined, plainAddress)
    const password = read('ADMIN_PASSWORD', undefined, String)
    if (email !== undefined && password !== undefined) return { email, password }
    if ((email ?? password) !== undefined) {
      problems.push(
        'ADMIN_EMAIL and ADMIN_PASSWORD make the first administrator together: give both.',
      )
    }
    return undefined
  }
  const readRecaptcha = () => {
    const secret = read('RECAPTCHA_SECRET', undefined, String)
    if (secret === undefined) return undefined
    const verify = 'https://www.google.com/recaptcha/api/siteverify'
    return {
      secret,
      url: read('RECAPTCHA_URL', verify, addressWith('https:', 'http:')),
      hostnames: read('RECAPTCHA_HOSTNAMES', [new URL(web_url).hostname], wordList),
    }
  }

  const port = read('PORT', 3000, wholeNumber(1, 65_535))
  const web_url = read('WEB_URL', `http://localhost:${port}`, publicAddress)
  const base_url = read('BASE_URL', `http://localhost:${port}/api`, publicAddress)
  const auth_url = read('AUTH_URL', `http://localhost:${port}/auth`, publicAddress)
  const loopback = [web_url, base_url, auth_url].every((url) => isLoopback(new URL(url).hostname))
  const config: Config = {
    host: read('HOST', loopback ? '127.0.0.1' : '0.0.0.0', String),
    port,
    metrics_host: read('METRICS_HOST', '127.0.0.1', String),
    metrics_port: read('METRICS_PORT', 9464, wholeNumber(1, 65_535)),
    metrics_required: Boolean(environment['METRICS_PORT']?.trim()),
    data_dir: resolve(read('DATA_DIR', 'data', String)),
    database_url: read('DATABASE_URL', undefined, databaseAddress),
    database_pool_size: read('DATABASE_POOL_SIZE', 10, wholeNumber(2, 100)),
    base_url,
    web_url,
    auth_url,
    roles: read('ROLES', new Set(roles), roleSet),
    trust_proxy: read('TRUST_PROXY', [], addressList),
    loopback,
    seed_demo: read('SEED_DEMO', loopback, yesOrNo),
    master_keys: read('MASTER_KEY', undefined, keyList),
    signing_keys: read('SIGNING_KEYS', undefined, keyList),
    admin: readAdmin(),
    magic_link_ms: read('MAGIC_LINK_SECONDS', 600, wholeNumber(1, 3_600)) * 1_000,
    two_factor_grace_ms: read('TWO_FACTOR_GRACE_SECONDS', 900, wholeNumber(1, 86_400)) * 1_000,
    recaptcha: readRecaptcha(),
    smtp_url: read('SMTP_URL', undefined, addressWith('smtp:', 'smtps:')),
    mail_from: read('MAIL_FROM', 'Emoji Id Directory <no-reply@localhost>', mailAddress),
    sms_url: read('SMS_URL', undefined, addressWith('https:', 'http:')),
    lookup_cache_ids: read('LOOKUP_CACHE_IDS', 20_000, wholeNumber(0, 10_000_000)),
    lookup_max_age: read('LOOKUP_MAX_AGE', 0, wholeNumber(0, 86_400)),
    catalog_requires_token: read('CATALOG_REQUIRES_TOKEN', false, yesOrNo),
    log_level: read('LOG_LEVEL', 'info', oneOf(logLevels)),
    drain_ms: read('DRAIN_SECONDS', 1, wholeNumber(0, 60)) * 1_000,
  }

  if (config.seed_demo && !loopback) {
    problems.push(
      'SEED_DEMO is on, but a public address is not loopback: demo accounts have known secrets. ' +
        'Remove SEED_DEMO, or point BASE_URL, WEB_URL and AUTH_URL at localhost.',
    )
  }
  if (loopback && !isLoopback(config.host)) {
    problems.push(
      `HOST is "${config.host}", but all public addresses are loopback, which opens the development pages. ` +
        'Remove HOST, or set BASE_URL, WEB_URL and AUTH_URL to the addresses that others use.',
    )
  }
  if (!loopback) {
    for (const [name, value] of Object.entries({
      MASTER_KEY: config.master_keys,
      SIGNING_KEYS: config.signing_keys,
      SMTP_URL: config.smtp_url,
    })) {
      if (value === undefined && !environment[name]?.trim()) problems.push(missing(name))
    }
  }
  if (config.port === config.metrics_port) {
    problems.push(`PORT and METRICS_PORT are both ${port}: give METRICS_PORT another one.`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return Object.freeze(config)
}

const secretVariables = new Set([
  'DATABASE_URL',
  'MASTER_KEY',
  'SIGNING_KEYS',
  'SMTP_URL',
  'SMS_URL',
  'ADMIN_PASSWORD',
  'RECAPTCHA_SECRET',
])

const missing = (name: string): string =>
  `${name} is missing. Only the demonstration on loopback addresses works without it; ` +
  `docs/operations.md says what to give.`

const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Error(`give a whole number from ${min} to ${max}.`)
  }
  return value
}

const oneOf =
  <Value extends string>(allowed: readonly Value[]) =>
  (text: string) => {
    const found = allowed.find((value) => value === text)
    if (!found) throw new Error(`give one of ${allowed.join(', ')}.`)
    return found
  }

function yesOrNo(text: string): boolean {
  return oneOf(['true', 'false'])(text) === 'true'
}

function roleSet(text: string): ReadonlySet<Role> {
  return new Set(text.split(',').map((role) => oneOf(roles)(role.trim())))
}

function publicAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('give a whole address such as https://api.example.com.')
  }
  if (url.search || url.hash || url.username || url.password) {
    throw new Error('give the address without a query, fragment or password.')
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error('start it with https://; only loopback addresses may use http.')
  }
  return url.href.replace(/\/+$/, '')
}

function keyList(text: string): Buffer[] {
  return text.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64url')
    if (key.length !== 32) {
      throw new Error('give 32 random bytes as base64, such as `openssl rand -base64 32` prints.')
    }
    return key
  })
}

const addressWith =
  (...protocols: string[]) =>
  (text: string): string => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Error(`give an address that starts with ${protocols.join('// or ')}//.`)
    }
    return text
  }

const wordList = (text: string): string[] => text.split(',').map((part) => part.trim())

function plainAddress(text: string): string {
  if (!isPlainAddress(text)) throw new Error('give one address such as name@example.com.')
  return text
}

function mailAddress(text: string): string {
  if (!/^([^<>\r\n",]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)) {
    throw new Error('give an address such as Name <name@example.com>.')
  }
  return text
}

function databaseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol) || url.hash) {
    throw new Error(
      'give an address such as postgres://user:password@host:5432/name ' +
        '(percent-encode what is special in the password; a socket is ?host=/its/folder).',
    )
  }
  return text
}

function addressList(text: string): string[] {
  const addresses = text.split(',').map((part) => part.trim())
  if (!addresses.every(isNetwork)) {
    throw new Error('give IP addresses or networks joined by commas, such as 10.0.0.0/8.')
  }
  return addresses
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest)
  return longest > 0 && isPrefix && rest.length === 0
}

function isLoopback(hostname: string): boolean {
  return (
    /^127(\.\d{1,3}){3}$/.test(hostname) ||
    ['localhost', '::1', '[::1]'].includes(hostname.toLowerCase())
  )
}

class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(problems: readonly string[]) {
    super(`The configuration is wrong.\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}
