import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { isWebLink } from '../../../platform/http/web-link.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { namedSubject } from '../../identity/throttle/index.ts'
import { missingScope, type Principal } from '../../operations/access/index.ts'
import type { ClientChange } from './schema.ts'

/** One to use, and one to change to. */
export const secretsAtMost = 2

/** How many an organization registers by itself; administrators register more. */
const clientsAtMost = 20

export function assertRoomFor(count: number): void {
  if (count >= clientsAtMost) throw tooManyClients()
}

/** Applications of every organization. */
export function assertSeesAll({ scopes }: Principal): void {
  if (!scopes.has('organization:admin') && !scopes.has('organization:read')) {
    throw missingScope(['organization:admin', 'organization:read'])
  }
}

export const makeId = (): string => `app_${randomBytes(12).toString('hex')}`
export const makeSecret = (): string => `sec_${randomBytes(32).toString('base64url')}`

export const isOneOf = (secret: string, hashes: readonly Buffer[]): boolean => {
  const given = sha256(secret)
  return hashes.some((hash) => timingSafeEqual(hash, given))
}

/** Wrong secrets are counted where they come from, so that nobody locks an application out. */
export const secretSubject = (id: string, address: string) =>
  namedSubject(`client ${id} from ${networkOf(address)}`, 20)

/** Applications that there are not, however many are tried. */
export const guessSubject = (address: string) =>
  namedSubject(`unknown clients from ${networkOf(address)}`, 20)

/** What the owners of its organization read. */
export const newsSentence = (
  name: string,
  news: 'created' | 'deleted' | 'secret_made' | 'secret_deleted' | { redirect_uris: string[] },
): string => {
  const app = `the application ${quote(name)}`
  if (typeof news === 'object') {
    return `Browsers may be sent back to these addresses of ${app} now: ${news.redirect_uris.join(', ')}. If nobody of you did this, write to our support at once.`
  }
  const sentences = {
    created: `People can log in to ${app} with an emoji id now.`,
    deleted: `Nobody can log in to ${app} any more: it was deleted.`,
    secret_made: `A second secret was made for ${app}.`,
    secret_deleted: `A secret of ${app} was deleted.`,
  }
  return `${sentences[news]} If nobody of you did this, write to our support at once.`
}

export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])

export function assertAddresses({ redirect_uris = [], logo }: ClientChange): void {
  for (const uri of redirect_uris) if (!isRedirectUri(uri)) throw redirectUri(uri)
  if (logo && !isWebLink(logo)) throw logoError()
}

/** Where browsers may be sent with a code. A path that climbs is another one than it looks like. */
const isRedirectUri = (uri: string): boolean =>
  isWebLink(uri) && !/\/\.{1,2}(\/|\?|$)|%2e/i.test(uri)

const redirectUri = (uri: string) =>
  refusalIn(
    'redirect_uris',
    'refused',
    'wrong_link',
    `${uri} does not do: https, or http to the own machine, without user name or fragment.`,
  )

const logoError = () =>
  refusalIn('logo', 'refused', 'wrong_link', 'logo takes a whole https address.')

export const unknownClient = () =>
  refusal('not_found', 'unknown_client', 'There is no such application.')

const tooManyClients = () => {
  const message = `An organization registers at most ${clientsAtMost} applications by itself. Ask us for more.`
  return refusal('refused', 'too_many_clients', message)
}

export const unknownSecret = () =>
  refusal('not_found', 'unknown_secret', 'The application has no such secret.')

export const tooManySecrets = () =>
  refusalIn(
    'id',
    'refused',
    'too_many_secrets',
    'Two secrets are valid already. Delete the older one first.',
  )

export const lastSecret = () =>
  refusalIn(
    'secret_id',
    'refused',
    'last_secret',
    'This is the only secret. Make another one first.',
  )
