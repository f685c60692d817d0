import { randomBytes, timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { networkOf } from '../../../platform/http/network.ts'
import { isWebLink } from '../../../platform/http/pages/links.ts'
import { quote } from '../../../platform/mail/quote.ts'
import { namedSubject } from '../../identity/throttle/throttle.ts'
import { missingScope, type Principal } from '../../operations/access/access.ts'
import type { ClientChange } from './routes.ts'

/** The current secret, and the next one during rotation. */

/** The limit for organizations; administrators can register more. */
const clientsAtMost = 20

export function assertRoomFor(count: number): void {
  if (count >= clientsAtMost) throw tooManyClients()
}

/** For the list of the applications of all organizations. */
export function assertSeesAll({ scopes }: Principal): void {
  if (!scopes.has('organization:admin') && !scopes.has('organization:read')) {
    throw missingScope(['organization:admin', 'organization:read'])
  }
}

export const makeId = (): string => `app_${randomBytes(12).toString('hex')}`
export const makeSecret = (): string => `sec_${randomBytes(32).toString('base64url')}`

export const isOneOf = (secret: string, hashes: readonly Buffer[]): boolean => {
  const secret_sha256 = sha256(secret)
  return hashes.some((hash) => timingSafeEqual(hash, secret_sha256))
}

/** Counts wrong secrets per network, so that an attacker cannot lock an application out. */
export const secretSubject = (id: string, address: string) =>
  namedSubject(`client ${id} from ${networkOf(address)}`, 20)

/** Counts all unknown client ids of a network together. */
export const guessSubject = (address: string) =>
  namedSubject(`unknown clients from ${networkOf(address)}`, 20)

/** For the email to the owners of the organization. */
export const newsSentence = (
  name: string,
  news: 'created' | 'deleted' | 'secret_made' | 'secret_deleted' | { redirect_uris: string[] },
): string => {
  const app = `the application ${quote(name)}`
  if (typeof news === 'object') {
    return `The redirect addresses of ${app} are now: ${news.redirect_uris.join(', ')}. ${unexpected}`
  }
  const sentences = {
    created: `Users can now sign in to ${app} with an emoji id.`,
    deleted: `Users can no longer sign in to ${app}, because it was deleted.`,
    secret_made: `A second secret was created for ${app}.`,
    secret_deleted: `A secret of ${app} was deleted.`,
  }
  return `${sentences[news]} ${unexpected}`
}

const unexpected = 'If no owner of your organization did this, contact our support now.'

export const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index])

export function assertAddresses({ redirect_uris = [], logo }: ClientChange): void {
  for (const uri of redirect_uris) if (!isRedirectUri(uri)) throw wrongRedirectUri(uri)
  if (logo && !isWebLink(logo)) throw wrongLogo()
}

/** Refuses paths with dot segments, because browsers normalize them to another path. */
const isRedirectUri = (uri: string): boolean =>
  isWebLink(uri) && !/\/\.{1,2}(\/|\?|$)|%2e/i.test(uri)

const wrongRedirectUri = (uri: string) =>
  refusalIn(
    'redirect_uris',
    'refused',
    'wrong_link',
    `${uri} is not allowed. Use https, or http on localhost, without a user name or fragment.`,
  )

const wrongLogo = () =>
  refusalIn('logo', 'refused', 'wrong_link', 'logo must be a full https address.')

export const unknownClient = () =>
  refusal('not_found', 'unknown_client', 'No application has this id.')

const tooManyClients = () => {
  const message = `An organization can register ${clientsAtMost} applications. Contact us if you need more.`
  return refusal('refused', 'too_many_clients', message)
}

export const unknownSecret = () =>
  refusal('not_found', 'unknown_secret', 'This application has no secret with this id.')

export const tooManySecrets = () =>
  refusalIn(
    'id',
    'refused',
    'too_many_secrets',
    'This application already has two secrets. Delete the older one first.',
  )

export const lastSecret = () =>
  refusalIn(
    'secret_id',
    'refused',
    'last_secret',
    'This is the only secret. Create another one first.',
  )
