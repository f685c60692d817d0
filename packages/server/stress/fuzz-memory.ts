const keptOfEach = 300
const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)

/** A reference resolved when a request is sent: most objects are created by an earlier request. */
export class KnownValue {
  readonly kind: string
  /** The position among them: from 0, the latest, to 1. */
  readonly roll: number
  readonly otherwise: unknown
  constructor(kind: string, roll: number, otherwise: unknown) {
    this.kind = kind
    this.roll = roll
    this.otherwise = otherwise
  }
}

/** Synonyms of a kind. */
const sameAs: Record<string, string> = {
  cart: 'order',
  checkout: 'order',
  convert_to_draft: 'order',
  promo_code: 'order',
  order_item: 'cart_item',
  random_yat: 'order',
  redemption_code: 'code_text',
  eid: 'emoji_id',
  extended: 'emoji_id',
  account: 'user',
  member: 'user',
  incoming: 'transfer',
  signer: 'pubkey',
  partner_path: 'organization',
}

/** The kind of object at a place in a path or response: /orders/{id} is an order. */
export function kindOf(name: string): string {
  const singular = name
    .replace(/ies$/, 'y')
    .replace(/(x|s)es$/, '$1')
    .replace(/s$/, '')
  return sameAs[name] ?? sameAs[singular] ?? singular
}

/** The kind of a parameter, by its name or by the preceding path segment. */
export function kindOfParameter(path: string, name: string): string {
  if (name !== 'id') return kindOf(name === 'emoji_id' ? name : name.replace(/_id$/, ''))
  const before = path.split('/').at(path.split('/').indexOf(`{${name}}`) - 1)
  return kindOf(before ?? '')
}

/** Ids collected from responses, of one story or of all. */
export function createMemory() {
  const kinds = new Map<string, unknown[]>()
  const remember = (kind: string, value: unknown) => {
    const knownValues = kinds.get(kind) ?? []
    kinds.set(kind, knownValues)
    knownValues.push(value)
    if (knownValues.length > keptOfEach) knownValues.shift()
  }

  /** Walks a response: ids are classified by their position. */
  const learn = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      for (const item of value.slice(0, 20)) learn(item, name)
    } else if (typeof value === 'string') learnText(value, name)
    else if (value !== null && typeof value === 'object') {
      for (const [member, of] of Object.entries(value)) {
        if (member === 'id' && typeof of === 'string') remember(kindOf(name), of)
        else if (['data', 'result', 'user'].includes(member) && typeof of === 'object')
          learn(of, member === 'user' ? 'user' : name)
        // A secret with that name is not the id of a key.
        else if (member !== 'api_key') learn(of, member)
      }
    }
  }
  const learnText = (value: string, name: string) => {
    if (isUuid(value)) remember(kindOf(name.replace(/_id$/, '')), value)
    else if (/^[0-9a-f]{64}$/.test(value)) remember(name === 'hash' ? 'hash' : 'pubkey', value)
    else if (named.includes(kindOf(name))) remember(kindOf(name), value)
  }

  return {
    learn,
    remember,
    recall({ kind, roll }: KnownValue): unknown {
      const knownValues = kinds.get(kind)
      if (!knownValues || knownValues.length === 0) return undefined
      // Prefers the latest.
      return knownValues[
        knownValues.length - 1 - Math.floor(knownValues.length * roll ** 3 * 0.999)
      ]
    },
  }
}

export type Memory = ReturnType<typeof createMemory>

const named = [
  'emoji_id',
  'email',
  'refresh_token',
  'code_text',
  'hash',
  'backup_code',
  'organization',
  'display_name',
  'access_token',
]
