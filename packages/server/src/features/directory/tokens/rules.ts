import {
  AddressError,
  chainFormat,
  checkAddress,
  type EmojiId,
  emojisOf,
  rhythmScore,
  shapeOf,
  spokenName,
} from '@emojid/core'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { daySeconds } from '../../../platform/time.ts'
import type { TokenMetadata } from './routes.ts'

const usualSeconds = 15 * 60
/** A wallet and the chain need this long for a mint. */
const shortestSeconds = 60
const longestSeconds = daySeconds

/** The expiry of the signature in seconds since 1970. */
export function readExpiry(expiry: number | null | undefined, now: Date): number {
  const seconds = Math.floor(now.getTime() / 1_000)
  const end = expiry ?? seconds + usualSeconds
  if (end < seconds + shortestSeconds || end > seconds + longestSeconds) throw expiryError()
  return end
}

/**
 * Requires the checksum, which catches typing errors. Rejects the zero address, which no account
 * can use.
 */
export function readAccount(text: string): string {
  if (!isChecksummed(text) || /^0x0+$/.test(text)) throw accountError()
  return text
}

function isChecksummed(text: string): boolean {
  try {
    return checkAddress('ETH', text).address === text
  } catch (error) {
    if (error instanceof AddressError) return false
    throw error
  }
}

export const signedSentence = (emoji_id: string, account: string, end: Date): string =>
  `The Ethereum account ${account} got a signature to mint your emoji id ${emoji_id}. Until ${end.toISOString()} you can’t transfer or release the id.`

export const mintedSentence = (emoji_id: string, account: string | undefined): string =>
  `Your emoji id ${emoji_id} was minted by an account that is not known to be yours${account ? `: ${account}` : ''}. The holder of the token can sell it to others. If you did not expect that, write to our support.`

type Permission = { token: string; account: string; expiry: number }

/** The packed encoding of the contract: texts, 20 bytes, and a 32-byte number. */
export function packPermission({ token, account, expiry }: Permission): Buffer {
  const number = Buffer.alloc(32)
  number.writeBigUInt64BE(BigInt(expiry), 24)
  return Buffer.concat([
    Buffer.from(`svcNFT${token}`),
    Buffer.from(account.slice(2), 'hex'),
    number,
  ])
}

type Token = { emoji_id: string; generation: number; bought_at: Date | null }
type Pictures = { files: unknown; theme: string | undefined }

/** The token metadata for marketplaces. */
export function metadataOf(
  ownedToken: Token,
  { files, theme }: Pictures,
  webUrl: string,
): TokenMetadata {
  const id = ownedToken.emoji_id as EmojiId
  const name = chainFormat(id)
  return {
    name,
    description: `${spokenName(id)}: an emoji id of the Emoji Id Directory.`,
    image: addressIn(files, 'image') ?? plainPicture(name),
    animation_url: addressIn(files, 'video') ?? addressIn(files, 'webm') ?? '',
    external_link: `${webUrl}/${encodeURIComponent(id)}`,
    attributes: [
      { trait_type: 'Length', value: emojisOf(id).length },
      { trait_type: 'Rhythm Score', value: rhythmScore(id) },
      { trait_type: 'Generation', value: ownedToken.generation },
      { trait_type: 'Shape', value: shapeOf(id) ?? 'None' },
      { trait_type: 'Origin', value: ownedToken.bought_at ? 'Bought' : 'Given' },
      { trait_type: 'Visualizer Theme', value: theme ?? 'None' },
    ],
  }
}

/** Owners can store any text there, so only web addresses pass. */
function addressIn(data: unknown, member: string): string | undefined {
  const value = (data as Record<string, unknown> | null)?.[member]
  return typeof value === 'string' && /^https?:\/\//.test(value) ? value : undefined
}

/** For ids without pictures; it needs no server. */
function plainPicture(name: string): string {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 600"><text x="300" y="300" font-size="80" text-anchor="middle" dominant-baseline="central">${name}</text></svg>`
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

/** Accounts that may hold a valid mint signature of an id at the same time. */
export const accountsAtMost = 10

type TokenRow = SignerName & {
  emoji_id: string
  display_format: string
  token_id: number | null
  minted: boolean
  token_account: string | null
  signed_until: Date | null
  user_id: string | null
  organization_id: string | null
  organization_name: string | null
}
type SignerName = { email: string | null; alternate_id: string | null }
type Signature = SignerName & { account: string; until: Date; signed_at: Date; signed_by: string }

/** The operator's view of an id that may be minted or is minted. */
export function showToken(row: TokenRow, signatures: readonly Signature[]) {
  const id = row.emoji_id as EmojiId
  return {
    emoji_id: row.display_format,
    canonical_format: id,
    chain_format: chainFormat(id),
    token_id: row.token_id ?? 0,
    minted: row.minted,
    token_account: row.token_account,
    signed_until: row.signed_until,
    owner_id: row.user_id,
    organization_id: row.organization_id,
    owner: row.organization_name ?? nameOf(row),
    signatures: signatures.map(({ account, until, signed_at, signed_by, ...named }) => ({
      account,
      until,
      signed_at,
      signed_by,
      signed_by_name: nameOf(named),
    })),
  }
}

const nameOf = ({ email, alternate_id }: SignerName): string | null => email ?? alternate_id

const expiryError = () => {
  const message = 'expiry must be in seconds since 1970, from one minute to 24 hours from now.'
  return refusal('invalid', 'invalid_expiry', message)
}

const accountError = () => {
  const message =
    'account must be an Ethereum address with its checksum: 0x and 40 digits in the letter case that wallets show.'
  return refusal('invalid', 'invalid_account', message)
}

export const mintedAlready = () =>
  refusalIn('emoji_id', 'refused', 'minted', 'This id is already minted.')

export const transferOpen = () =>
  refusalIn(
    'emoji_id',
    'refused',
    'open_transfer',
    'This id is being transferred. Cancel the transfer first.',
  )

export const unknownToken = () =>
  refusal('not_found', 'unknown_token', 'There is no token with this number.')

export const tooManyAccounts = () =>
  refusalIn(
    'account',
    'refused',
    'too_many_accounts',
    `At most ${accountsAtMost} accounts may mint an id at the same time. Wait until a signature expires.`,
    'too_many',
  )
