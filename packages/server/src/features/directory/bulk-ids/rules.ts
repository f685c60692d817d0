import { displayFormat, type EmojiId, newestShownAs, parseTonedEmojiId } from '@emojid/core'
import { refusal, refusalIn, ServiceError } from '../../../platform/errors.ts'
import { unconfirmedEmail } from '../../identity/accounts/accounts.ts'
import {
  holdsSomewhere,
  mayInOrganization,
  missingScope,
  type Principal,
} from '../../operations/access/access.ts'
import { missingOwner, type OwnedId, readEmojiId, takenId } from '../emoji-ids/emoji-ids.ts'
import type { KeptRecord } from '../records/records.ts'
import { type ImportResult, type ImportRow, listedCharacters } from './schema.ts'

export type OwnerKind = 'user_id' | 'email' | 'organization_id' | 'pubkey'
export type Owner = { kind: OwnerKind; name: string }
/** The key that ids of an owner are bound to, and whose key it is. */
export type Holder = { pubkey: string; user_id: string | null; organization_id: string | null }

export type ReadRow = {
  id: EmojiId
  display_format: string
  owner: Owner | undefined
  records: KeptRecord[] | undefined
}

type CheckRecords = (id: EmojiId, inputs: NonNullable<ImportRow['records']>) => KeptRecord[]

/** Returns a function that reads a row, or returns why it is invalid. An id may occur once. */
export function createRowReader(check: CheckRecords) {
  const seenIds = new Set<EmojiId>()
  return (row: ImportRow): ReadRow | ServiceError => {
    try {
      const read = readRow(row, check)
      if (seenIds.has(read.id)) throw repeatedId()
      seenIds.add(read.id)
      return read
    } catch (error) {
      if (error instanceof ServiceError) return error
      throw error
    }
  }
}

function readRow({ emoji_id, records: inputs, ...row }: ImportRow, check: CheckRecords): ReadRow {
  const id = readEmojiId(emoji_id)
  const owner = readOwner(row)
  if (!owner && !inputs) throw missingOwner('user_id, email, organization_id and pubkey')
  const records = inputs && check(id, inputs)
  const preferred = newestShownAs(records ?? [], 'display_form')?.data
  const { tones } = parseTonedEmojiId(preferred ?? emoji_id)
  return { id, display_format: displayFormat(id, tones), owner, records }
}

const forms: Record<OwnerKind, RegExp> = {
  user_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  organization_id: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  pubkey: /^[0-9a-f]{64}$/,
  email: /^\S+@\S+$/,
}

function readOwner(row: Partial<Record<OwnerKind, string>>): Owner | undefined {
  const kinds = (Object.keys(forms) as OwnerKind[]).filter((kind) => row[kind])
  const [kind] = kinds
  if (!kind) return undefined
  const name = row[kind]?.toLowerCase() ?? ''
  if (kinds.length > 1) throw missingOwner('user_id, email, organization_id and pubkey')
  if (!forms[kind].test(name)) throw malformedOwner(kind)
  return { kind, name }
}

export const nameOf = ({ kind, name }: Owner): string => `${kind} ${name}`

/** Throws if another owner has the id. */
export function assertSameOwner(ownedId: OwnedId, { kind }: Owner, holder: Holder): void {
  const isTheirs =
    kind === 'pubkey'
      ? ownedId.pubkey === holder.pubkey
      : kind === 'organization_id'
        ? ownedId.organization_id === holder.organization_id
        : ownedId.user_id === holder.user_id
  if (!isTheirs) throw takenId(ownedId.emoji_id as EmojiId)
}

/** Throws unless the caller may write the ids of an organization. */
export function assertWritesAnyOrganization(caller: Principal): void {
  if (!holdsSomewhere(caller, ['organizationEmoji:write'])) {
    throw missingScope(['adminEmoji:register', 'organizationEmoji:write'])
  }
}

/** Whether the row only writes an id of an organization whose ids the caller may write. */
export const isWrittenByMember = (
  caller: Principal,
  { owner }: ReadRow,
  organization_id: string | null,
): boolean =>
  organization_id !== null &&
  mayInOrganization(caller, organization_id, 'organizationEmoji:write') &&
  (!owner || (owner.kind === 'organization_id' && owner.name === organization_id))

/** The outcome of a row, or the error that rejected it. */
export type Outcome =
  | {
      status: Exclude<ImportResult['status'], 'refused'>
      added?: readonly KeptRecord[]
      removed?: readonly KeptRecord[]
    }
  | ServiceError

export function showOutcome(
  { emoji_id }: ImportRow,
  outcome: Outcome,
  isDryRun: boolean,
): ImportResult {
  if (outcome instanceof ServiceError) {
    const { code, message } = outcome
    return { emoji_id, status: 'refused', error: { code, message } }
  }
  const { status, added = [], removed = [] } = outcome
  const lists = isDryRun ? { added: added.map(shorten), removed: removed.map(shorten) } : {}
  return { emoji_id, status, error: null, ...lists }
}

function shorten({ tag, data }: KeptRecord) {
  const characters = [...data]
  const isLong = characters.length > listedCharacters
  return { tag, data: isLong ? `${characters.slice(0, listedCharacters).join('')}…` : data }
}

const repeatedId = () =>
  refusalIn('emoji_id', 'refused', 'repeated', 'An earlier row of the same request has this id.')

/** An attacker can register with the email address of another person and wait for ids. */
export const unconfirmedOwner = () =>
  unconfirmedEmail(
    'This email address is not confirmed. If you are sure whose account it is, send its user_id.',
  )

export const unknownEmail = () =>
  refusal('not_found', 'unknown_user', 'No account has this email address.')

export const removedOwner = () =>
  refusal(
    'refused',
    'removed_owner',
    'This account belongs to a person whom an operator removed. Grant the id on its own, with a reason.',
  )

const malformedOwner = (kind: OwnerKind) =>
  refusalIn(kind, 'invalid', 'invalid_owner', `This ${kind} does not exist.`, 'invalid')

/** Thrown to roll back the transaction of a dry run. */
export class DryRunRollback extends Error {
  readonly outcomes: (Outcome | undefined)[]
  constructor(outcomes: (Outcome | undefined)[]) {
    super('Dry run')
    this.outcomes = outcomes
  }
}
