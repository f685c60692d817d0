import fc from 'fast-check'
import { cheapId } from '../../../benchmarks/directory.ts'
import { type Parameter, type Schema, valuesOf } from '../test/support/from-schema.ts'
import { goodPassword } from '../test/support/people.ts'
import { KnownValue, kindOf, kindOfParameter } from './fuzz-memory.ts'

const roll = fc.double({ min: 0, max: 1, noNaN: true })

/** A value from an earlier response, or this default. */
const knownValueOr = (kind: string, otherwise: fc.Arbitrary<unknown>) =>
  fc.tuple(roll, otherwise).map(([index, value]) => new KnownValue(kind, index, value))

// These are provided to the players.
const freeId = fc.integer({ min: 100_000, max: 999_999 }).map(cheapId)
const oddIds = fc.constantFrom(
  '🔥🐍',
  '👋🏽🌴',
  '👋🌴',
  '❤',
  '❤️',
  '❤︎',
  '🦀‍🦀',
  '🇩',
  '🇩🇪',
  '1️⃣',
  '🔥',
  'fire.snake',
  '🔥a',
  '',
  ' ',
  '🔥🔥🔥🔥🔥🔥🔥',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '\u202e🔥',
  '..',
  '%F0',
  '🔥/🐍',
  'search',
  'random',
)
/** Prefers an existing one, or an available one. */
const emojiIds = (existing: number, free: number) =>
  fc.oneof(
    { weight: existing, arbitrary: knownValueOr('emoji_id', freeId) },
    { weight: free, arbitrary: freeId },
    { weight: 1, arbitrary: oddIds },
  )
const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const tag = fc.constantFrom('0x1003', '0x1004', '0x0005', '0x0001', '0x0004', '0x6300', '0x4001')
const data = fc.oneof(
  fc.constantFrom(bitcoin, `${bitcoin}|Savings||t`, ether, `USDC|ETH|${ether}`),
  fc.constantFrom('https://example.com/a?b=c', 'javascript:alert(1)', 'Anna'),
  fc.string({ maxLength: 80, unit: 'grapheme' }),
)
const records = fc.array(
  fc.oneof(
    fc.constantFrom(
      { tag: '0x1003', data: bitcoin },
      { tag: '0x1004', data: ether },
      { tag: '0x0005', data: 'Anna' },
      { tag: '0X1003', data: `${bitcoin}|Savings||t` },
      { tag: '0x4001', data: 'https://example.com/fire-snake' },
    ),
    fc.record({ tag, data }),
  ),
  { maxLength: 3 },
)
const hex64 = fc.stringMatching(/^[0-9a-f]{64}$/)
const email = fc.integer({ min: 0, max: 1e9 }).map((n) => `fuzz-${n}@example.com`)

/** Members with one meaning everywhere. Other members follow their schema. */
const wellKnown: Record<string, fc.Arbitrary<unknown>> = {
  emoji_id: emojiIds(3, 10),
  eid: emojiIds(10, 3),
  emoji_ids: emojiIds(10, 3),
  tag,
  data,
  tags: fc.array(tag, { maxLength: 3 }).map((tags) => tags.join(',')),
  keys: fc.constantFrom('SvcPageData', 'SvcPageData,SvcLinkData', 'VisualizerData', 'Nope'),
  pubkey: knownValueOr('pubkey', hex64),
  email: knownValueOr('email', email),
  hash: knownValueOr('hash', hex64),
  delete: knownValueOr('hash', hex64),
  refresh_token: knownValueOr('refresh_token', fc.string()),
  password: fc.oneof(fc.constant(goodPassword), fc.string({ maxLength: 100 })),
  current_password: fc.constant(goodPassword),
  phone: fc.constantFrom('+14155550100', '+4915112345678', '0', '+1'),
  code: fc.oneof(
    knownValueOr('code_text', fc.constant('WELCOME')),
    fc.constantFrom('WELCOME', 'welcome '),
    fc.stringMatching(/^\d{6}$/),
  ),
  redemption_code: fc.stringMatching(/^[A-Z]{6,12}$/),
  backup_code: knownValueOr('backup_code', fc.string()),
  cancel_url: fc.constantFrom('https://example.com/no', 'http://localhost/x', 'javascript:1'),
  success_url: fc.constantFrom('https://example.com/yes', 'http://localhost/x', '//evil'),
  link: fc.constantFrom('https://example.com/fire-snake', 'javascript:alert(1)', '//evil'),
  token: fc.constantFrom('USDC', 'usdt', 'x', ''),
  network: fc.constantFrom('ETH', 'POL', 'x', ''),
}

/** In a path a name refers to an existing object. */
const inAddress: Record<string, fc.Arbitrary<unknown>> = {
  emoji_id: emojiIds(10, 3),
  eid: emojiIds(10, 3),
  tag: fc.constantFrom('BTC', 'eth', 'XMR', 'USDC', '0x1003', 'NOPE'),
}

function valueByName(name: string, schema: Schema): fc.Arbitrary<unknown> | undefined {
  const { type, format, enum: words } = schema
  if (format === 'uuid') return knownValueOr(kindOf(name.replace(/_id$/, '')), fc.uuid())
  if (type === 'array' && (name === 'insert' || name === 'linked_tags')) return records
  // Store entries take any JSON as data.
  return type === 'string' && !words && Object.hasOwn(wellKnown, name) ? wellKnown[name] : undefined
}

const deep = (levels: number) => {
  let value: unknown = 'bottom'
  for (let n = 0; n < levels; n++) value = n % 2 ? [value] : { deeper: value }
  return value
}

export const hostileTexts = [
  "' OR 1=1--",
  '%',
  '_',
  '\\',
  '"',
  '`',
  "'; drop table users; --",
  '$(id)',
  '../../etc',
  '',
  ' ',
  '\t',
  '\u0000',
  '\ud800',
  '\u202eabc',
  '\ufeff',
  'é́́́',
  '👩‍👩‍👧‍👦',
  '𝕏',
  'ﬃ',
  'İ',
  'null',
  'undefined',
  'NaN',
  'true',
  '0x1003',
  '1e400',
  '-0',
  '<script>alert(1)</script>',
  'a\r\nBcc: evil@example.com',
  '__proto__',
  'constructor',
  '2026-02-30T00:00:00Z',
  '٣',
]

/** Values outside any schema, or rarely inside one. */
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...hostileTexts) },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      -0,
      1.5,
      2 ** 31,
      2 ** 31 - 1,
      -(2 ** 31) - 1,
      2 ** 53,
      Number.MAX_SAFE_INTEGER,
      Number.MAX_VALUE,
      5e-324,
      [],
      {},
      [[]],
      [null],
      { $ne: null },
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59.999Z',
      '2026-12-31T23:59:60Z',
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.constantFrom(10, 60, 70, 500).map(deep) },
  { weight: 1, arbitrary: fc.constantFrom(255, 256, 4_096, 70_000).map((n) => 'ä'.repeat(n)) },
)

const oneIn = (n: number, rare: fc.Arbitrary<unknown>, usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: n - 1, arbitrary: usual }, { weight: 1, arbitrary: rare })

/** Missing members and unknown members. */
function reshapeValues(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const extra = fc.tuple(fc.constantFrom('id', 'role', 'constructor', 'x', ''), hostile)
  return fc.tuple(values, fc.nat(20), extra).map(([value, place, [name, more]]) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const members = Object.entries(value)
    const remainingMembers = members.filter((_, at) => at !== place)
    return Object.fromEntries(
      remainingMembers.length < members.length ? remainingMembers : [...members, [name, more]],
    )
  })
}

/** Values for a schema: mostly valid, with one part in this many spoilt. */
export function fuzzedValues(schema: Schema, spoiltOneIn: number): fc.Arbitrary<unknown> {
  const around = (values: fc.Arbitrary<unknown>, { type }: Schema) => {
    const rare = type === 'object' ? fc.oneof(reshapeValues(values), hostile) : hostile
    return oneIn(spoiltOneIn, rare, values)
  }
  const of = (optional: number) => valuesOf(schema, { named: valueByName, around, optional })
  return fc.oneof(of(15), of(50))
}

export function fuzzedParameter({ name, schema }: Parameter, path: string, spoiltOneIn: number) {
  const bySchema = valuesOf(schema, { named: valueByName }, name)
  const isId = schema.format === 'uuid' || name === 'id'
  const values = isId
    ? knownValueOr(kindOfParameter(path, name), bySchema)
    : (inAddress[name] ?? bySchema)
  return oneIn(spoiltOneIn, hostile, values)
}
