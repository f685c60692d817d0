import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { assertMailAddress, mailboxOf } from '../../../platform/mail/address.ts'
import { dayMs } from '../../../platform/time.ts'
import type { NewReport, ReportVerdict } from './schema.ts'
import type { FoldedText, ReportCategory } from './table.ts'

/** More reports about one id tell operators nothing new; they are only counted. */
export const openAtMost = 50
/** One network cannot fill the queue of an id. */
const openOfNetworkAtMost = 3
const retentionMs = 365 * dayMs

export const decidedBefore = (now: Date): Date => new Date(now.getTime() - retentionMs)

const leastText = 10
const longestText = 2_000
const foldedTextsAtMost = 5
const longestFoldedText = 500
const controls = /[\p{Cc}\p{Bidi_Control}]/gu
const invisiblePattern = /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu

export type Report = {
  category: ReportCategory
  text: string
  text_hash: Buffer
  email: string | null
}

export function readReport({ category, text: rawText, email: address = '' }: NewReport): Report {
  const text = rawText
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(controls, (char) => (char === '\n' ? char : ' '))
    .trim()
  const visible = [...text.replaceAll(invisiblePattern, '')]
  if (visible.length < leastText || [...text].length > longestText) throw invalidText()
  const email = address.trim()
  if (email !== '') assertMailAddress(email, 'email')
  return { category, text, text_hash: hashText(text), email: email || null }
}

/** Copies differ in letter case, spaces and punctuation only. A text of symbols is compared as it is. */
function hashText(text: string): Buffer {
  const words = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{Extended_Pictographic}]+/gu, ' ')
    .trim()
  return sha256(words || text)
}

export type OpenReport = {
  id: string
  category: ReportCategory
  text_hash: Buffer
  email: string | null
  network: string | null
  folded_texts: readonly FoldedText[]
}

/**
 * The open report that a new one is folded into; undefined if the new one is stored. `open` is
 * newest first.
 */
export function findFold(
  open: readonly OpenReport[],
  { category, text_hash, email }: Report,
  network: string | null,
): OpenReport | undefined {
  const mailbox = email && mailboxOf(email)
  const same =
    open.find((one) => mailbox && one.email && mailboxOf(one.email) === mailbox) ??
    open.find((one) => one.text_hash.equals(text_hash))
  if (same) return same
  const ofNetwork = open.filter((one) => network !== null && one.network === network)
  if (ofNetwork.length >= openOfNetworkAtMost) return ofNetwork[0]
  if (open.length < openAtMost) return undefined
  return open.find((one) => one.category === category) ?? open[0]
}

/**
 * The folded texts of a report, with the text of another one. Copies are left out; the oldest makes
 * room.
 */
export function foldText(
  { text_hash: known, folded_texts }: OpenReport,
  { text, text_hash }: Report,
  now: Date,
): FoldedText[] {
  const chars = [...text]
  const isCut = chars.length > longestFoldedText
  const short = isCut ? `${chars.slice(0, longestFoldedText - 1).join('')}…` : text
  const hash = hashText(short)
  const isCopy =
    known.equals(text_hash) || folded_texts.some((one) => hashText(one.text).equals(hash))
  if (isCopy) return [...folded_texts]
  return [...folded_texts, { text: short, at: now.toISOString() }].slice(-foldedTextsAtMost)
}

/** Whether the decision about this report is emailed to the reporter of a folded one. */
export const isMailedTo = ({ email: reporterEmail }: OpenReport, { email }: Report): boolean =>
  reporterEmail !== null && email !== null && mailboxOf(reporterEmail) === mailboxOf(email)

export function assertExplained({ decision, note }: ReportVerdict): void {
  if (decision === 'other' && note === undefined) throw missingNote()
}

/** Reporters are told that an id is suspended only if it is. */
export function assertTrue(
  { decision }: ReportVerdict,
  ownedId: { suspended_at: Date | null } | undefined,
): void {
  if (decision === 'suspended' && !ownedId?.suspended_at) throw notSuspended()
}

const invalidText = () =>
  refusalIn(
    'text',
    'invalid',
    'invalid_report_text',
    `Describe what is wrong in ${leastText} to ${longestText} characters.`,
    'invalid',
  )

export const unknownReport = () =>
  refusal('not_found', 'unknown_report', 'This report does not exist.')

export const decidedReport = () =>
  refusal('refused', 'decided_report', 'This report is already decided.')

export const ownReportedId = () =>
  refusal(
    'forbidden',
    'own_reported_id',
    'This report is about your own emoji id. Ask another operator to decide.',
  )

const notSuspended = () =>
  refusalIn(
    'decision',
    'refused',
    'not_suspended',
    'This emoji id is not suspended. Suspend it first, then record this decision.',
  )

const missingNote = () =>
  refusalIn(
    'note',
    'invalid',
    'missing_note',
    'Explain the decision to the reporter in a note.',
    'required',
  )
