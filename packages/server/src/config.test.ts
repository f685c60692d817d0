import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseEnv } from 'node:util'
import { describe, expect, it } from 'vitest'
import { masterKey, mintSignerKey, signingKey } from '../test/support/own-keys.ts'
import { readConfig } from './config.ts'

const addresses = {
  BASE_URL: 'https://api.example.com/',
  WEB_URL: 'https://example.com',
  AUTH_URL: 'https://auth.example.com',
  MASTER_KEY: masterKey.toString('base64'),
  SIGNING_KEYS: signingKey.toString('base64'),
  MINT_SIGNER_KEY: mintSignerKey.toString('hex'),
  SMTP_URL: 'smtp://mail.example.com',
}

describe('without any variable', () => {
  it('starts the demonstration on loopback', () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      base_url: 'http://localhost:3000/api',
      web_url: 'http://localhost:3000',
      auth_url: 'http://localhost:3000/auth',
      database_url: undefined,
      loopback: true,
      seed_demo: true,
      roles: new Set(['api', 'auth', 'web', 'worker']),
    })
  })
})

describe('public addresses', () => {
  it('follow PORT unless they are set', () => {
    expect(readConfig({ PORT: '8080' }).base_url).toBe('http://localhost:8080/api')
  })

  it('outside of loopback turn the demonstration off and open the port', () => {
    expect(readConfig(addresses)).toMatchObject({
      base_url: 'https://api.example.com',
      loopback: false,
      seed_demo: false,
      host: '0.0.0.0',
    })
  })
})

describe('PROCESSES', () => {
  const own = { DATABASE_URL: 'postgres://u@127.0.0.1/x' }
  it.each([
    [{}, 1],
    [addresses, 1],
    [{ ...own, SEED_DEMO: 'false' }, 1],
    [{ ...addresses, ...own }, availableParallelism()],
    [{ ...addresses, ...own, ROLES: 'worker' }, 1],
    [{ PROCESSES: 'auto' }, availableParallelism()],
    [{ PROCESSES: '3' }, 3],
  ])('of %o are %i', (environment, processes) => {
    expect(readConfig(environment)).toMatchObject({ processes })
  })
})

describe('an invalid value', () => {
  it.each([
    [{ PROCESSES: 'all' }, 'PROCESSES is "all": give auto, or a whole number from 1 to 64.'],
    [{ PROCESSES: '0' }, 'PROCESSES is "0"'],
    [{ PROCESSES: '2', ROLES: 'worker' }, 'PROCESSES counts HTTP processes'],
    [{ PORT: 'http' }, 'PORT is "http": give a whole number from 1 to 65535.'],
    [{ PORT: '70000' }, 'PORT is "70000"'],
    [{ PORT: '-1' }, 'PORT is "-1"'],
    [{ ROLES: 'api,cook' }, 'ROLES is "api,cook": give one of api, auth, web, worker.'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL is "loud": give one of'],
    [{ BASE_URL: 'api.example.com' }, 'BASE_URL is "api.example.com": give a whole address'],
    [{ WEB_URL: 'http://example.com' }, 'WEB_URL is "http://example.com": start it with https://'],
    [
      { AUTH_URL: 'https://x.example/?a=1' },
      'AUTH_URL is "https://x.example/?a=1": give the address without',
    ],
    [
      { DATABASE_URL: 'mysql://u:hunter2@h/d' },
      'DATABASE_URL is not right: give an address such as',
    ],
    [
      { DATABASE_REPLICA_URL: 'postgres://u:hunter2@h/d' },
      'DATABASE_REPLICA_URL is set, but DATABASE_URL is not',
    ],
    [{ REPLICA_MAX_BEHIND_SECONDS: '0' }, 'REPLICA_MAX_BEHIND_SECONDS is "0": give a whole number'],
    [{ TRUST_PROXY: 'everyone' }, 'TRUST_PROXY is "everyone": give IP addresses'],
    [{ TRUST_PROXY: '999.1.1.1' }, 'TRUST_PROXY is "999.1.1.1"'],
    [{ TRUST_PROXY: '10.0.0.0/99' }, 'TRUST_PROXY is "10.0.0.0/99"'],
    [{ DATABASE_URL: 'postgres://u:a#b@h/d' }, 'DATABASE_URL is not right'],
    [{ DATABASE_URL: 'postgres://u@h:99999/d' }, 'DATABASE_URL is not right'],
    [{ PORT: '9464' }, 'PORT and METRICS_PORT are both 9464'],
    [{ SEED_DEMO: 'yes' }, 'SEED_DEMO is "yes": give one of true, false.'],
    [{ ...addresses, SEED_DEMO: 'true' }, 'SEED_DEMO is on, but a public address is not loopback'],
    [{ ...addresses, MASTER_KEY: '' }, 'MASTER_KEY is missing.'],
    [{ ...addresses, SIGNING_KEYS: '' }, 'SIGNING_KEYS is missing.'],
    [{ ...addresses, MINT_SIGNER_KEY: '' }, 'MINT_SIGNER_KEY is missing.'],
    [{ MINT_SIGNER_KEY: 'hunter2' }, 'MINT_SIGNER_KEY is not right: give a private key'],
    [{ MINT_SIGNER_KEY: `0x${'f'.repeat(64)}` }, 'MINT_SIGNER_KEY is not right'],
    [{ ...addresses, SMTP_URL: '' }, 'SMTP_URL is missing.'],
    [{ ADMIN_EMAIL: 'a@example.com' }, 'ADMIN_EMAIL and ADMIN_PASSWORD create'],
    [{ ADMIN_EMAIL: 'a@b, c@d' }, 'give one address such as name@example.com.'],
    [{ MASTER_KEY: 'hunter2' }, 'MASTER_KEY is not right: give 32 random bytes as base64'],
    [
      { SMTP_URL: 'http://u:hunter2@h' },
      'SMTP_URL is not right: give an address that starts with smtp://',
    ],
    [{ MAIL_FROM: 'a@b.c, d@e.f' }, 'MAIL_FROM is'],
    [
      { STRIPE_API_URL: 'https://cards.example.com' },
      'STRIPE_API_URL is set, but STRIPE_SECRET_KEY is not: give that too, or remove STRIPE_API_URL.',
    ],
    [{ STRIPE_SECRET_KEY: 'sk_1' }, 'STRIPE_WEBHOOK_SECRET is missing.'],
    [{ BTCPAY_URL: 'https://pay.example.com' }, 'BTCPAY_API_KEY, BTCPAY_STORE_ID'],
    [{ SMS_COUNTRIES: 'US,Germany' }, 'SMS_COUNTRIES is "US,Germany": give countries by their two'],
    [{ SMS_PER_DAY: 'many' }, 'SMS_PER_DAY is "many": give a whole number'],
    [{ RECAPTCHA_URL: 'https://x.example/check' }, 'RECAPTCHA_URL is set, but RECAPTCHA_SECRET'],
    [{ RECAPTCHA_HOSTNAMES: 'x.example' }, 'RECAPTCHA_HOSTNAMES is set, but RECAPTCHA_SECRET'],
    [{ RECAPTCHA_SCRIPT_URL: 'https://x.example/a.js' }, 'RECAPTCHA_SCRIPT_URL is set, but'],
    [{ HOST: '0.0.0.0' }, 'HOST is "0.0.0.0", but all public addresses are loopback'],
  ])('%o stops the start and is named in the error', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence)
  })

  it('an invalid value is reported together with all others, without passwords', () => {
    const read = () =>
      readConfig({ PORT: 'x', DRAIN_SECONDS: 'y', DATABASE_URL: 'mysql://u:hunter2@h' })
    for (const name of ['PORT', 'DATABASE_URL', 'DRAIN_SECONDS']) expect(read).toThrow(name)
    expect(read).not.toThrow('hunter2')
  })
})

describe('the files in deploy/', () => {
  const shipped = readFileSync(new URL('../../../deploy/env/common.env', import.meta.url), 'utf8')
  const variables = parseEnv(shipped)

  it('the files in deploy/ are refused until every secret is replaced, each by name', () => {
    const read = () => readConfig(variables)
    const names = Object.keys(variables).filter((name) => variables[name]?.includes('change-me'))
    expect(names).toContain('ADMIN_PASSWORD')
    for (const name of names)
      expect(read).toThrow(`${name} is not right: it still contains change-me`)
    expect(read).not.toThrow('give both')
  })

  it('the files in deploy/ with other secrets are a configuration', () => {
    const changedVariables = {
      ...variables,
      ...addresses,
      ADMIN_PASSWORD: 'seven blue herons at dawn',
    }
    expect(readConfig(changedVariables)).toMatchObject({
      mail_from: 'Emoji Id Directory <no-reply@example.com>',
      trust_proxy: ['127.0.0.1'],
    })
  })
})

describe('an option that depends on another', () => {
  it('an option that depends on another is not reported if the other option is set but invalid', () => {
    const keys = { STRIPE_SECRET_KEY: 'change-me', STRIPE_WEBHOOK_SECRET: 'change-me' }
    const read = () => readConfig({ ...keys, STRIPE_API_URL: 'https://cards.example.com' })
    expect(read).toThrow('STRIPE_SECRET_KEY is not right')
    expect(read).not.toThrow('is set, but')
  })
})

describe('ffmpeg', () => {
  it('ffmpeg is searched along PATH, or at FFMPEG_PATH', () => {
    const PATH = '/usr/local/bin:.::bin:/usr/bin'
    const path = ['/usr/local/bin/ffmpeg', '/usr/bin/ffmpeg']
    expect(readConfig({ PATH }).ffmpeg_places).toEqual(path)
    expect(readConfig({ PATH, FFMPEG_PATH: '/opt/ffmpeg' }).ffmpeg_places).toEqual(['/opt/ffmpeg'])
    expect(readConfig({}).ffmpeg_places).toEqual([])
  })
})

describe('the address for appeals', () => {
  const production = { ...addresses, NODE_ENV: 'production' }

  it.each([
    undefined,
    'no-reply@example.com',
    'Directory <NoReply@example.com>',
    'do-not-reply@example.com',
  ])('the address for appeals has to be set in production if emails come from %s', (MAIL_FROM) => {
    const environment = MAIL_FROM ? { ...production, MAIL_FROM } : production
    expect(() => readConfig(environment)).toThrow('Set APPEALS_EMAIL to a mailbox')
    const APPEALS_EMAIL = 'appeals@example.com'
    expect(readConfig({ ...environment, APPEALS_EMAIL }).appeals_email).toBe(APPEALS_EMAIL)
  })

  it('the address for appeals is that of the sender otherwise', () => {
    const MAIL_FROM = 'Directory <reply@example.com>'
    expect(readConfig({ ...production, MAIL_FROM }).appeals_email).toBe('reply@example.com')
  })
})

describe('a captcha', () => {
  const secret = { RECAPTCHA_SECRET: 'secret' }
  const key = { RECAPTCHA_SITE_KEY: 'key-1' }

  it('a captcha needs a site key and a secret', () => {
    expect(readConfig({ ...secret, ...key }).recaptcha).toMatchObject({
      hostnames: ['localhost'],
      widget: { site_key: 'key-1', script_url: 'https://www.google.com/recaptcha/api.js' },
    })
    expect(() => readConfig(secret)).toThrow('give RECAPTCHA_SITE_KEY')
    expect(() => readConfig(key)).toThrow('give RECAPTCHA_SECRET')
    expect(readConfig({ ...secret, ROLES: 'api,worker' }).recaptcha?.widget).toBeUndefined()
  })

  it.each([
    'javascript:alert(1)',
    "https://example.com/a.js; script-src 'unsafe-inline'",
    'https://example.com/a.js?x="><script>',
    'https://example.com',
  ])('rejects a script address that could break the policy: %s', (script) => {
    const env = { ...secret, ...key, RECAPTCHA_SCRIPT_URL: script }
    expect(() => readConfig(env)).toThrow('RECAPTCHA_SCRIPT_URL')
  })
})

describe('a demonstration', () => {
  const database = { DATABASE_URL: 'postgres://localhost/own' }

  it.each([
    ['on a configured database', database],
    ['behind a proxy', { ...database, TRUST_PROXY: '127.0.0.1' }],
    ['in production', { NODE_ENV: 'production' }],
    ['in production, in any spelling', { NODE_ENV: ' Production ' }],
    ['in production, even if requested', { NODE_ENV: 'production', SEED_DEMO: 'true' }],
    [
      'in production with play money',
      { NODE_ENV: 'production', SEED_DEMO: 'false', SANDBOX_PAYMENTS: 'true' },
    ],
  ])('a demonstration is not started %s', (_, environment) => {
    expect(() => readConfig(environment)).toThrow('BASE_URL, WEB_URL and AUTH_URL')
  })

  it('runs on a configured database only if requested', () => {
    expect(readConfig({ ...database, SEED_DEMO: 'true' })).toMatchObject({ seed_demo: true })
    const bareConfig = readConfig({ ...database, SEED_DEMO: 'false' })
    expect(bareConfig).toMatchObject({ seed_demo: false, sandbox_port: undefined })
  })
})

describe('the development pages', () => {
  const stripe = { STRIPE_SECRET_KEY: 'sk_live_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }
  const btcpay = {
    BTCPAY_URL: 'https://pay.example.com',
    BTCPAY_API_KEY: 'key',
    BTCPAY_STORE_ID: 'store',
    BTCPAY_WEBHOOK_SECRET: 'secret',
  }

  it.each([
    ['TRUST_PROXY', { TRUST_PROXY: '127.0.0.1' }],
    ['STRIPE_SECRET_KEY', stripe],
    ['BTCPAY_API_KEY', btcpay],
    ['STRIPE_SECRET_KEY and BTCPAY_API_KEY', { ...stripe, ...btcpay, SEED_DEMO: 'false' }],
  ])('the development pages do not start beside %s, unless they are off', (names, environment) => {
    expect(() => readConfig(environment)).toThrow(
      `${names} would be used beside the development pages`,
    )
    expect(readConfig({ ...environment, DEV_PAGES: 'false' }).has_dev_pages).toBe(false)
  })

  it('start beside stand-ins of the providers on the same machine', () => {
    const url = 'http://127.0.0.1:4000'
    const environment = { ...stripe, ...btcpay, STRIPE_API_URL: url, BTCPAY_URL: url }
    expect(readConfig(environment).has_dev_pages).toBe(true)
  })

  it.each([
    ['under public addresses', addresses],
    ['in production', { NODE_ENV: 'production', SEED_DEMO: 'false' }],
  ])('the development pages are not opened %s, even if requested', (_, environment) => {
    const read = () => readConfig({ ...environment, DEV_PAGES: 'true' })
    expect(read).toThrow('DEV_PAGES is on, but')
  })

  it('turned off leave the secrets of a local service optional', () => {
    expect(readConfig({ DEV_PAGES: 'false' })).toMatchObject({
      is_local: true,
      smtp_url: undefined,
    })
  })
})

describe('a guessable key', () => {
  const sequentialBytes = Buffer.from(Array.from({ length: 32 }, (_, n) => n))

  it.each([
    ['MASTER_KEY', Buffer.alloc(32).toString('base64')],
    ['MASTER_KEY', Buffer.alloc(32, 7).toString('base64')],
    ['MASTER_KEY', sequentialBytes.toString('base64')],
    ['MASTER_KEY', Buffer.from('abcdefgh'.repeat(4)).toString('base64')],
    ['SIGNING_KEYS', `${signingKey.toString('base64')},${Buffer.alloc(32).toString('base64')}`],
    ['MINT_SIGNER_KEY', '1'.padStart(64, '0')],
    ['MINT_SIGNER_KEY', '0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364140'],
    ['MINT_SIGNER_KEY', 'fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0363d59'],
    // The first account of Hardhat and Anvil.
    ['MINT_SIGNER_KEY', '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'],
    // The twentieth.
    ['MINT_SIGNER_KEY', 'df57089febbacf7ba0bc227dafbffa9fc08a93fdc68e1e42411a14efcf23656e'],
    // The tenth account of Ganache.
    ['MINT_SIGNER_KEY', 'b0057716d5917badaf911b193b12b910811c1497b5bada8d7711f758981c3773'],
    ['MASTER_KEY', 'rAl0vsOaF+NrpKa00jj/lEustHjL7V78rnhNe/Ty/4A='],
  ])('a guessable key is refused: %s=%s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} is not right`)
  })

  it('equal to another key is refused', () => {
    const [base64, hex] = [masterKey.toString('base64'), masterKey.toString('hex')]
    const other = signingKey.toString('base64')
    for (const [environment, names] of [
      [{ MASTER_KEY: base64, SIGNING_KEYS: `${other},${base64}` }, 'MASTER_KEY and SIGNING_KEYS'],
      [{ MASTER_KEY: base64, MINT_SIGNER_KEY: hex }, 'MASTER_KEY and MINT_SIGNER_KEY'],
      [{ SIGNING_KEYS: base64, MINT_SIGNER_KEY: `0x${hex}` }, 'SIGNING_KEYS and MINT_SIGNER_KEY'],
    ] as const) {
      expect(() => readConfig(environment)).toThrow(`${names} have the same key`)
    }
  })

  it('a guessable key is told apart from a random one by its few distinct bytes', () => {
    for (let n = 0; n < 200; n++) {
      const key = randomBytes(32)
      const halfKey = Buffer.concat([key.subarray(0, 15), Buffer.alloc(17, key[0])])
      expect(readConfig({ MASTER_KEY: key.toString('base64') }).master_keys).toEqual([key])
      expect(() => readConfig({ MASTER_KEY: halfKey.toString('base64') })).toThrow(
        'this key is not random',
      )
    }
  })
})

describe('links to the pages of the operator', () => {
  it('links to the pages of the operator are read with query and fragment, and support may be a mailbox', () => {
    const env = {
      TERMS_URL: 'https://example.com/terms?lang=en#top',
      IMPRINT_URL: 'http://localhost:4000/imprint',
      SUPPORT_URL: 'mailto:help@example.com',
    }
    expect(readConfig(env).links).toEqual({
      terms: env.TERMS_URL,
      privacy: undefined,
      imprint: env.IMPRINT_URL,
      support: env.SUPPORT_URL,
    })
  })

  it.each([
    ['TERMS_URL', 'javascript:alert(1)'],
    ['PRIVACY_URL', '/privacy'],
    ['IMPRINT_URL', 'http://example.com/imprint'],
    ['TERMS_URL', 'https://user:secret@example.com/'],
    ['TERMS_URL', 'mailto:help@example.com'],
    ['SUPPORT_URL', 'mailto:help@example.com?bcc=all@example.com'],
    ['SUPPORT_URL', 'tel:+14155550100'],
  ])('%s rejects %s', (name, value) => {
    expect(() => readConfig({ [name]: value })).toThrow(`${name} is "${value}": `)
  })
})

describe('the contact for reports of weaknesses', () => {
  const SECURITY_CONTACT = 'https://example.com/security'
  const SECURITY_EXPIRES = '2027-11-01'

  it('the contact for reports of weaknesses is absent, or a page or mailbox with an end and languages', () => {
    expect(readConfig({}).security).toBeUndefined()
    expect(readConfig({ SECURITY_CONTACT, SECURITY_EXPIRES }).security).toEqual({
      contact: SECURITY_CONTACT,
      expires: new Date('2027-11-01T00:00:00Z'),
      languages: 'en',
    })
  })

  it.each([
    [{ SECURITY_CONTACT }, 'SECURITY_CONTACT is set, but SECURITY_EXPIRES is not'],
    [{ SECURITY_EXPIRES }, 'SECURITY_EXPIRES is set, but SECURITY_CONTACT is not'],
    [{ SECURITY_LANGUAGES: 'de' }, 'SECURITY_LANGUAGES is set, but SECURITY_CONTACT is not'],
    [{ SECURITY_CONTACT: 'tel:+14155550100', SECURITY_EXPIRES }, 'SECURITY_CONTACT is "tel:'],
    [
      { SECURITY_CONTACT: 'mailto:a@example.com\nContact: b', SECURITY_EXPIRES },
      'give a whole address',
    ],
    [{ SECURITY_CONTACT, SECURITY_EXPIRES: '2027-02-30' }, 'SECURITY_EXPIRES is "2027-02-30"'],
    [{ SECURITY_CONTACT, SECURITY_EXPIRES: 'soon' }, 'give a day'],
    [{ SECURITY_CONTACT, SECURITY_EXPIRES, SECURITY_LANGUAGES: 'en;de' }, 'give languages'],
  ])('rejects %o', (env, problem) => {
    expect(() => readConfig(env)).toThrow(problem)
  })
})
