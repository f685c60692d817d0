import { type Static, Type } from 'typebox'
import { pagingQuery } from '../../../platform/http/api/paging.ts'
import { Nullable, OneOf, Timestamp } from '../../../platform/http/api/schemas.ts'
import { EmojiIdText } from '../emoji-ids/emoji-ids.ts'
import { Metric } from '../stats/stats.ts'

export const Record = Type.Object({
  tag: Type.String({ description: 'The type of the record, such as 0x1003' }),
  data: Type.String(),
  hash: Type.String({ description: 'Identifies the record' }),
  recent: Type.Optional(
    Type.Integer({
      description:
        'Of a payment address that replaced another one in its place: it is more recent than all with a lower number or none',
    }),
  ),
})
export type Record = Static<typeof Record>

const Failure = Type.Object({ code: Type.String(), reason: Type.String() })

const ChangesAt = Type.Optional(
  Type.Unsafe<Date>({
    ...Timestamp,
    description: 'When payment addresses of the id change, if a change is waiting',
  }),
)

export const LookupAnswer = Type.Object({
  status: Type.Boolean(),
  result: Type.Array(Record),
  error: Nullable(Failure),
  stats: Type.Array(Metric),
  changes_at: ChangesAt,
})

export const TickerAnswer = Type.Object({
  status: Type.Boolean(),
  result: Type.Array(Record),
  error: Nullable(Failure),
  changes_at: ChangesAt,
})

const PaymentAddress = Type.Object({
  address: Type.String(),
  category: Type.String(),
  default: Type.Boolean(),
  description: Type.Optional(Type.String()),
  long_name: Type.Optional(Type.String()),
  short_name: Type.Optional(Type.String()),
  settlement_network: Type.Optional(Type.String()),
  signature: Type.Optional(Type.String()),
  source: Type.Optional(
    Type.String({ description: 'The record of the address, if a token was requested' }),
  ),
})

export const PaymentAnswer = Type.Object({
  status: Type.Boolean(),
  result: Type.Record(Type.String(), PaymentAddress),
  error: Nullable(Failure),
  changes_at: ChangesAt,
})

export const LookupRefusal = Type.Object(
  { error: Type.String() },
  { additionalProperties: false, description: 'Invalid or unregistered id' },
)

export const IdParams = Type.Object({ emoji_id: EmojiIdText })
export const TickerParams = Type.Object({
  emoji_id: EmojiIdText,
  tag: Type.String({ description: 'A ticker such as BTC' }),
})

const TagFilter = Type.Optional(
  Type.String({
    description:
      'Only these tags, such as `0x1003,0x1004`; anything else than `0x` and hex digits is 400',
  }),
)
export const TagsQuery = Type.Object({ tags: TagFilter })
export const paymentPatterns = {
  token: '^[A-Za-z0-9$.+_-]{1,16}$',
  network: '^[A-Za-z0-9]{2,12}$',
}
export const PaymentQuery = Type.Object({
  tags: TagFilter,
  token: Type.Optional(
    Type.String({
      pattern: paymentPatterns.token,
      description: 'A token such as USDC; needs `network`, and cannot be sent with `tags`',
    }),
  ),
  network: Type.Optional(
    Type.String({
      pattern: paymentPatterns.network,
      description: 'The network of the token, such as ETH; 400 if neither known nor present',
    }),
  ),
})

export const Batch = Type.Object({
  emoji_ids: Type.Array(EmojiIdText, { minItems: 1, maxItems: 1_000 }),
  tags: Type.Optional(Type.Array(Type.String(), { maxItems: 200 })),
})
export type Batch = Static<typeof Batch>

export const BatchAnswer = Type.Object({
  data: Type.Array(
    Type.Object({
      emoji_id: Type.String({ description: 'As requested' }),
      canonical_format: Type.Optional(
        Type.String({ description: 'The id, if the request has it in another spelling' }),
      ),
      status: Type.Boolean(),
      result: Nullable(Type.Array(Record)),
      error: Nullable(Failure),
      changes_at: ChangesAt,
    }),
  ),
})

export const StatsAnswer = Type.Object({
  emoji_id: Type.String(),
  metrics: Type.Array(Metric),
  days: Type.Optional(
    Type.Array(
      Type.Object({
        day: Type.String({ format: 'date' }),
        lookups: Type.Integer(),
        pages: Type.Integer({
          description:
            'How often its payment sheet was opened: its public page while it has a payment address',
        }),
      }),
      { description: 'The past 28 days and today; missing while the counts cannot be read' },
    ),
  ),
})

export const Proof = Type.Object({
  emoji_id: Type.String(),
  pubkey: Nullable(Type.String({ description: 'The key that owns the id' })),
  version: Type.Integer({
    description: 'Grows with every change and every new owner, and never restarts',
  }),
  changed_at: Nullable(Timestamp),
  merkle_root: Type.String(),
  domain: Type.String(),
  message: Type.String({ description: 'The signed message' }),
  signature: Nullable(
    Type.Object({ signer: Type.String(), nonce: Type.String(), signature: Type.String() }),
  ),
  records: Type.Array(
    Type.Object({
      ...Record.properties,
      proof: Type.Unknown({ description: 'Hashes from the record up to the root' }),
    }),
  ),
})

export type Proof = Static<typeof Proof>

export const History = Type.Array(Type.Object({ version: Type.Integer(), changed_at: Timestamp }))

export const Change = Type.Object({
  version: Type.Integer(),
  changed_at: Timestamp,
  by: Type.Unsafe<'you' | 'colleague' | 'other' | 'directory'>({
    ...OneOf(['you', 'colleague', 'other', 'directory']),
    description:
      'colleague: another member of the organization that owns the id; directory: the service itself',
  }),
  undoes: Nullable(Type.Integer({ description: 'The version that it restored' })),
  is_kept: Type.Boolean({
    description:
      'False for a change before the last 100, whose records are no longer kept: then removed and added are empty',
  }),
  records_sha256: Type.Optional(
    Type.String({
      description: 'SHA-256 of the records after the change, as the JSON text of a lookup',
    }),
  ),
  removed: Type.Array(Record),
  added: Type.Array(Record),
  reordered: Type.Boolean({ description: 'Whether the records that stay have another order' }),
})
export const ChangeQuery = pagingQuery(['version'], { sort: 'version', dir: 'Desc' })
export type ChangeQuery = Static<typeof ChangeQuery>

export const EidParams = Type.Object({ eid: EmojiIdText })

export const TagList = Type.Array(
  Type.Object({
    tag: Type.String(),
    ticker: Nullable(Type.String()),
    name: Type.String(),
    class: Type.String(),
    data_form: Type.String(),
    single_value: Type.Boolean(),
    payment: Type.Boolean(),
    max_bytes: Nullable(Type.Integer()),
  }),
)
