import { type ColumnType, type Generated, type Insertable, type Selectable, sql } from 'kysely'
import { readPage } from '../../../platform/database/page.ts'
import { endOf, startOf } from '../../../platform/time.ts'
import type { Database, Tables, Transaction } from '../../../tables.ts'
import type { ReportQuery } from './schema.ts'

export type ReportCategory = 'scam' | 'impersonation' | 'offensive' | 'illegal' | 'other'
export type ReportDecision = 'no_action' | 'suspended' | 'other'

export type FoldedText = { text: string; at: string }

/** A report of abuse. Address and network of the reporter are removed with the decision. */
export type AbuseReportsTable = {
  id: Generated<string>
  emoji_id: string
  /** The owner at the time of the report. */
  owner_id: string | null
  category: ReportCategory
  text: string
  text_hash: Buffer
  email: string | null
  network: string | null
  /** How many reports were folded into this one, itself included. */
  times: Generated<number>
  /** The first and the last texts that were folded into it, oldest first. */
  folded_texts: ColumnType<FoldedText[], string | undefined, string>
  created_at: ColumnType<Date, Date, never>
  last_at: Date
  decision: ReportDecision | null
  note: string | null
  reason: string | null
  decided_at: Date | null
  decided_by: string | null
}

export type ReportRow = Selectable<AbuseReportsTable>

/** Serialises reports and decisions about one id, without a lock on the id itself. */
export async function lockReportsOf(trx: Transaction, emoji_id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`abuse reports ${emoji_id}`}, 0))`.execute(
    trx,
  )
}

/** Open reports about an id, newest first. */
export const findOpen = (trx: Transaction, emoji_id: string) =>
  trx
    .selectFrom('abuse_reports')
    .select(['id', 'category', 'text_hash', 'email', 'network', 'created_at'])
    .select('folded_texts')
    .where('emoji_id', '=', emoji_id)
    .where('decided_at', 'is', null)
    .orderBy('created_at', 'desc')
    .execute()

export const insert = (trx: Transaction, report: Insertable<Tables['abuse_reports']>) =>
  trx.insertInto('abuse_reports').values(report).returning('id').executeTakeFirstOrThrow()

export const countAgain = (
  trx: Transaction,
  id: string,
  last_at: Date,
  folded: readonly FoldedText[],
) =>
  trx
    .updateTable('abuse_reports')
    .set((eb) => ({ times: eb('times', '+', 1), last_at, folded_texts: JSON.stringify(folded) }))
    .where('id', '=', id)
    .execute()

export const find = (db: Database, id: string) =>
  db.selectFrom('abuse_reports').selectAll().where('id', '=', id).executeTakeFirst()

export function findPage(db: Database, emoji_id: string | undefined, query: ReportQuery) {
  const { status, category, decision, from, to } = query
  let matchingQuery = db.selectFrom('abuse_reports')
  if (status === 'open') matchingQuery = matchingQuery.where('decided_at', 'is', null)
  if (status === 'decided') matchingQuery = matchingQuery.where('decided_at', 'is not', null)
  if (category !== undefined) matchingQuery = matchingQuery.where('category', '=', category)
  if (decision !== undefined) matchingQuery = matchingQuery.where('decision', '=', decision)
  if (emoji_id !== undefined) matchingQuery = matchingQuery.where('emoji_id', '=', emoji_id)
  if (from !== undefined) matchingQuery = matchingQuery.where('created_at', '>=', startOf(from))
  if (to !== undefined) matchingQuery = matchingQuery.where('created_at', '<', endOf(to))
  return readPage(db, matchingQuery, query)
}

export const findOthers = (db: Database, emoji_id: string, id: string, limit: number) =>
  db
    .selectFrom('abuse_reports')
    .selectAll()
    .where('emoji_id', '=', emoji_id)
    .where('id', '!=', id)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()

export const countOpen = (db: Database, emoji_ids: readonly string[]) =>
  db
    .selectFrom('abuse_reports')
    .select(['emoji_id', ({ fn }) => fn.countAll<string>().as('open')])
    .where('emoji_id', 'in', emoji_ids)
    .where('decided_at', 'is', null)
    .groupBy('emoji_id')
    .execute()

export const findRecordChanges = (db: Database, emoji_id: string, limit: number) =>
  db
    .selectFrom('record_history')
    .select(['changed_at', 'version'])
    .where('emoji_id', '=', emoji_id)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()

type Verdict = {
  decision: ReportDecision
  note: string | null
  reason: string
  decided_at: Date
  decided_by: string
}

/** Removes address and network of the reporters. */
export const decide = (trx: Transaction, ids: readonly string[], verdict: Verdict) =>
  trx
    .updateTable('abuse_reports')
    .set({ ...verdict, email: null, network: null })
    .where('id', 'in', ids)
    .where('decided_at', 'is', null)
    .execute()

export const deleteDecidedBefore = (db: Database, moment: Date) =>
  db.deleteFrom('abuse_reports').where('decided_at', '<', moment).execute()
