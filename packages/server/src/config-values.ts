import { isIP } from 'node:net'
import { isLoopback } from '@emojid/core'
import { isSecretKey } from './platform/crypto/ethereum.ts'
import { isKnownKey } from './platform/crypto/known-keys.ts'
import { addressesOf } from './platform/database/hosts.ts'
import { isPlainAddress } from './platform/mail/address.ts'
import { type Country, isCountry } from './platform/sms/phones.ts'

/** Shared by the readers of the parts of the configuration. */
export type Reading = {
  read: <Value>(name: string, fallback: Value, parse: (text: string) => Value) => Value
  isGiven: (name: string) => boolean
  problems: string[]
}

/** Reports options that have no effect without another option. */
export function reportStrays({ isGiven, problems }: Reading, names: string[], belongTo: string) {
  if (isGiven(belongTo)) return
  for (const name of names.filter(isGiven)) {
    problems.push(`${name} is set, but ${belongTo} is not: give that too, or remove ${name}.`)
  }
}

// Parsers of variables; each throws a sentence that says what to give instead.

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new Error(`give a whole number from ${min} to ${max}.`)
  }
  return value
}

export const oneOf =
  <Value extends string>(allowed: readonly Value[]) =>
  (text: string) => {
    const match = allowed.find((value) => value === text)
    if (!match) throw new Error(`give one of ${allowed.join(', ')}.`)
    return match
  }

export function yesOrNo(text: string): boolean {
  return oneOf(['true', 'false'])(text) === 'true'
}

/** The beginning of a day, in UTC. */
export function day(text: string): Date {
  const at = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : Number.NaN)
  // Date reads 2027-02-30 as the second of March.
  if (Number.isNaN(at.getTime()) || !at.toISOString().startsWith(text)) {
    throw new Error('give a day such as 2027-07-01.')
  }
  return at
}

export function publicAddress(text: string): string {
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

/** A page of the operator: also with a query or fragment. */
export function pageLink(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new Error('give a whole address such as https://example.com/terms.')
  }
  if (url.username || url.password) throw new Error('give the address without a password.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw new Error('start it with https://; only loopback addresses may use http.')
  }
  return url.href
}

/** A page, or a mailbox such as mailto:help@example.com. */
export function contactLink(text: string): string {
  const [, mailbox] = /^mailto:(.*)$/i.exec(text) ?? []
  return mailbox === undefined ? pageLink(text) : `mailto:${plainAddress(mailbox)}`
}

export function keyList(text: string): Buffer[] {
  return text.split(',').map((part) => {
    const key = Buffer.from(part.trim(), 'base64url')
    if (key.length !== 32) {
      throw new Error('give 32 random bytes as base64, such as `openssl rand -base64 32` prints.')
    }
    assertRandom(key)
    return key
  })
}

/** 32 random bytes have about 30 distinct values, and about 30 distinct differences. */
const leastDifferent = 16

function assertRandom(key: Buffer): void {
  const steps = key.map((byte, at) => byte - (key[at - 1] ?? 0))
  if (Math.min(new Set(key).size, new Set(steps).size) < leastDifferent) {
    throw new Error('this key is not random, so it can be guessed. Make one with `openssl rand`.')
  }
  if (isSecretKey(key) && isKnownKey(key)) {
    throw new Error('this key is published, so it is not secret. Make one with `openssl rand`.')
  }
}

/** A leaked key must not reveal a second one. */
export function reportSharedKeys(
  problems: string[],
  keys: Record<string, readonly Buffer[] | undefined>,
): void {
  const owners = new Map<string, string>()
  for (const [name, all] of Object.entries(keys)) {
    for (const key of all ?? []) {
      const owner = owners.get(key.toString('hex')) ?? name
      owners.set(key.toString('hex'), owner)
      if (owner !== name) {
        problems.push(`${owner} and ${name} have the same key: make one for each.`)
      }
    }
  }
}

export function ethereumKey(text: string): Buffer {
  const key = Buffer.from(text.replace(/^0x/i, ''), 'hex')
  if (!/^(0x)?[0-9a-f]{64}$/i.test(text) || !isSecretKey(key)) {
    throw new Error('give a private key as 64 hex digits, such as `openssl rand -hex 32` prints.')
  }
  assertRandom(key)
  return key
}

/** The placeholder for secrets in deploy/. */
const placeholder = 'change-me'

export function assertOwnSecret(text: string): void {
  if (text.includes(placeholder)) {
    throw new Error(`it still contains ${placeholder} from the shipped file; replace it.`)
  }
}

export const addressWith =
  (...protocols: string[]) =>
  (text: string): string => {
    if (!URL.canParse(text) || !protocols.includes(new URL(text).protocol)) {
      throw new Error(`give an address that starts with ${protocols.join('// or ')}//.`)
    }
    return text
  }

/** The address stands in pages and in their CSP, so it must not contain separators. */
export function scriptAddress(text: string): string {
  if (!/^https?:\/\/[\w.:[\]-]+(\/[\w.~-]+)+$/.test(text) || !URL.canParse(text))
    throw new Error('give the address of a script, such as https://captcha.example.com/api.js.')
  return text
}

export function captchaKey(text: string): string {
  if (!/^[\w-]{1,100}$/.test(text)) throw new Error('use only letters, digits, - and _.')
  return text
}

export const wordList = (text: string): string[] => text.split(',').map((part) => part.trim())

export function plainAddress(text: string): string {
  if (!isPlainAddress(text)) throw new Error('give one address such as name@example.com.')
  return text
}

export function mailAddress(text: string): string {
  if (!/^([^<>\r\n",]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(text)) {
    throw new Error('give an address such as Name <name@example.com>.')
  }
  return text
}

export function databaseAddress(text: string): string {
  for (const address of addressesOf(text)) {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url && ['postgres:', 'postgresql:'].includes(url.protocol) && !url.hash) continue
    throw new Error(
      'give an address such as postgres://user:password@host:5432/name, or with several hosts ' +
        'postgres://user:password@one:5432,two:5432/name (percent-encode special characters in the ' +
        'password; a socket is ?host=/its/folder).',
    )
  }
  return text
}

/** Language tags, such as en or pt-BR. */
export function languageList(text: string): string {
  const tags = wordList(text)
  if (!tags.every((tag) => /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(tag))) {
    throw new Error('give languages joined by commas, such as en,de.')
  }
  return tags.join(', ')
}

export function countrySet(text: string): ReadonlySet<Country> {
  const countries = text.split(',').map((part) => part.trim().toUpperCase())
  if (!countries.every(isCountry)) {
    throw new Error('give countries by their two letters, joined by commas, such as US,CA,DE.')
  }
  return new Set(countries)
}

export function addressList(text: string): string[] {
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
