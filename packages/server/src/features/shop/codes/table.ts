import type { IdPattern } from '@emojid/core'
import type { ColumnType, Generated, GeneratedAlways, Selectable } from 'kysely'

export type CodesTable = {
  id: Generated<string>
  name: string
  code_type: 'Discount' | 'RandomYat'
  /** Activated by its text, or by a signature of a listed key. */
  activator: 'RedemptionCode' | 'SecretKey'
  /** Of earlier versions: the start seals it. */
  redemption_code: Generated<string | null>
  /** The HMAC of the text in lower case, for lookups. */
  code_hmac: Generated<Buffer | null>
  sealed_code: Generated<string | null>
  discount_as_percentage: number | null
  discount_in_cents: number | null
  start_date: Date | null
  end_date: Date | null
  max_uses: number | null
  max_emojis_per_user: number | null
  /** The ids it applies to; null: every id. */
  pattern: ColumnType<IdPattern | null, string | null, string | null>
  organization_id: string | null
  /** Also accepts the weak signatures of released clients. */
  legacy_challenge: boolean
  /** Whether operators allow it to be combined with other codes. */
  combinable: Generated<boolean>
  /** Whether a partner set its terms: then it takes off at most the partner's fee on the order. */
  limited_to_fee: Generated<boolean>
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
  /** The text that searches match, in lower case. */
  searchable: GeneratedAlways<string>
}

/** `redemption_code` is null until `openCode` decrypts it. */
export type Code = Selectable<CodesTable>

export type CodePubkeysTable = {
  code_id: string
  pubkey: string
  added_at: Date
  revoked_at: Date | null
}

export type CodeUsesTable = {
  code_id: string
  order_id: string
  user_id: string
  /** The number of ids of the order that it applies to. */
  emojis: number
  /** Null while the use is only reserved. */
  counted_at: Date | null
  created_at: Date
}

export type CodeNoncesTable = {
  code_id: string
  nonce: string
  user_id: string
  used_at: Date
}
