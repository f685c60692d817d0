import type { ColumnType, Generated, Selectable } from 'kysely'

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
