import { textLengths, withoutInvisible } from '@emojid/core'
import { sha256 } from '../../../platform/crypto/sha256.ts'
import { refusal, refusalIn } from '../../../platform/errors.ts'
import { assertMailAddress, mailboxOf } from '../../../platform/mail/address.ts'
import type { Letter } from '../../../platform/mail/letter.ts'
import { dayMs } from '../../../platform/time.ts'
import type { FoldedText, ReportCategory } from './repository.ts'
import type { NewReport, ReportVerdict } from './schema.ts'

/** More reports about one id tell operators nothing new; they are only counted. */
export const openAtMost = 50
/** One network cannot fill the queue of an id. */
const openOfNetworkAtMost = 3
const retentionMs = 365 * dayMs

export const decidedBefore = (now: Date): Date => new Date(now.getTime() - retentionMs)

const outcomes = {
  no_action: 'We reviewed the report and took no action.',
  suspended: 'We reviewed the report and suspended the emoji id.',
  other: 'We reviewed the report.',
}

/** To the reporter of an id. The address is unconfirmed, so the email quotes nothing of the report. */
export const reportDecided = ({
  emoji_id,
  reported_on,
  decision,
  note,
}: {
  emoji_id: string
  reported_on: string
  decision: ReportVerdict['decision']
  note: string | null
}): Letter => ({
  subject: `Our decision about ${emoji_id}`,
  before: `The emoji id ${emoji_id} was reported on ${reported_on} with this email address. ${outcomes[decision]}${note ? ` ${note}` : ''}`,
  after:
    'We deleted your address from the report. If you didn’t send it, you can ignore this email.',
})

const firstTextsAtMost = 2
const lastTextsAtMost = 3
const longestFoldedText = 500
const controls = /[\p{Cc}\p{Bidi_Control}]/gu

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
  const visible = [...withoutInvisible(text)]
  if (
    visible.length < textLengths.report.minLength ||
    [...text].length > textLengths.report.maxLength
  )
    throw invalidText()
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
 * newest first. The mailbox decides nothing: strangers could find out who reported an id.
 */
export function findFold(
  open: readonly OpenReport[],
  { category, text_hash }: Report,
  network: string | null,
): OpenReport | undefined {
  const same = open.find((one) => one.text_hash.equals(text_hash))
  if (same) return same
  const ofNetwork = open.filter((one) => network !== null && one.network === network)
  if (ofNetwork.length >= openOfNetworkAtMost) return ofNetwork[0]
  if (open.length < openAtMost) return undefined
  return open.find((one) => one.category === category) ?? open[0]
}

/**
 * The folded texts of a report, with the text of another one. Copies are left out. The first texts
 * stay, so that junk cannot push them out.
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
  const texts = [...folded_texts, { text: short, at: now.toISOString() }]
  const laterTexts = texts.slice(firstTextsAtMost)
  return [...texts.slice(0, firstTextsAtMost), ...laterTexts.slice(-lastTextsAtMost)]
}

/** One email per mailbox, even if it has several of the decided reports: that of the oldest. */
export function chooseMailed<One extends { email: string | null; created_at: Date }>(
  decided: readonly One[],
) {
  const byMailbox = new Map<string, One & { email: string }>()
  for (const { email, ...rest } of decided) {
    const mailbox = email && mailboxOf(email)
    const known = byMailbox.get(mailbox ?? '')
    if (email === null || mailbox === null || (known && known.created_at <= rest.created_at))
      continue
    byMailbox.set(mailbox, { ...rest, email } as One & { email: string })
  }
  return [...byMailbox.values()]
}

export function assertExplained({ decision, note }: ReportVerdict): void {
  if (decision === 'other' && note === undefined) throw missingNote()
}

export function assertFit({ decision, suspend }: ReportVerdict): void {
  if (suspend && decision !== 'suspended') throw unfitSuspend()
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
    `Describe what is wrong in ${textLengths.report.minLength} to ${textLengths.report.maxLength} characters.`,
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

const unfitSuspend = () =>
  refusalIn(
    'suspend',
    'invalid',
    'unfit_suspend',
    'Only the decision suspended can suspend the emoji id.',
  )

const missingNote = () =>
  refusalIn(
    'note',
    'invalid',
    'missing_note',
    'Explain the decision to the reporter in a note.',
    'required',
  )
