import fc from 'fast-check'
import { describedOperations, type Operation, type Parameter } from '../test/support/from-schema.ts'
import { fuzzedParameter, fuzzedValues, hostile, hostileTexts } from './fuzz-values.ts'

/** A request with unresolved references to existing objects. */
export type Recipe = {
  operation: Operation
  method: string
  path: Record<string, unknown>
  query: [name: string, value: unknown][]
  headers: Record<string, string>
  body: { json: unknown } | { raw: string } | undefined
  /** Whether an order that waits for its payment is paid next. */
  isPaid: boolean
}
/** The caller and the number of repetitions. */
const roles = {
  anonymous: 2,
  user: 3,
  veteran: 1,
  admin: 4,
  owner: 2,
  key: 1,
  admin_key: 2,
  second_factor: 1,
  pending: 1,
  stranger: 1,
}
export type Role = keyof typeof roles
export type Story = { role: Role; recipes: Recipe[] }

/** States that chance rarely reaches. Steps of missing operations are left out. */
const journeys = [
  'POST /cart, POST /cart/checkout, POST /cart/promo_code, POST /cart/checkout, GET /cart',
  'POST /cart, POST /cart/checkout, POST /cart/convert_to_draft, DELETE /cart/cart_items/{cart_item_id}',
  'POST /cart, POST /cart/checkout, POST /orders/{id}/refund_request, POST /orders/{id}/refund',
  'POST /cart, POST /cart/checkout/{id}, POST /orders/{id}/payment_override, GET /orders/{id}/refunds',
  'POST /admin/codes, POST /cart, POST /cart/checkout, POST /cart/promo_code, PATCH /admin/codes/{id}',
  'POST /admin/emoji_ids, PATCH /emoji_id/{emoji_id}, GET /emoji_id/{emoji_id}/history, GET /emoji_id/{emoji_id}/proof',
  'POST /admin/emoji_ids, POST /emoji_id/{eid}/json/{key}, GET /emoji_id/{eid}/json, DELETE /emoji_id/{emoji_id}',
  'POST /admin/emoji_ids, POST /transfers, POST /transfers/{transfer_id}/sender_accept, POST /transfers/{transfer_id}/receiver_accept',
  'POST /lootbox_type, POST /lootbox_type/generate, PATCH /lootboxes/{id}, POST /lootboxes/{id}/open',
  'POST /admin/emoji_ids, POST /emoji_id/{emoji_id}/generate_signature',
]

const operations = describedOperations()

/** One user's sequence of requests. */
export function stories(): fc.Arbitrary<Story> {
  const wild = fc.oneof(...operations.map((operation) => recipes(operation, 8)))
  const tags = [...new Set(operations.map(({ tag }) => tag))]
  const themes = tags.map((tag) => {
    const theme = operations.filter((operation) => operation.tag === tag)
    const tame = fc.oneof(...theme.map((operation) => recipes(operation, 40)))
    return fc.array(fc.oneof({ weight: 4, arbitrary: tame }, { weight: 1, arbitrary: wild }), {
      minLength: 5,
      maxLength: 20,
      size: 'max' as const,
    })
  })
  const walks = journeys.map((journey) =>
    fc
      .tuple(...stepsOf(journey).map((operation) => recipes(operation, 60)), wild)
      .map((steps) => [...steps]),
  )
  const role = fc.constantFrom(
    ...Object.entries(roles).flatMap(([name, times]) => Array<Role>(times).fill(name as Role)),
  )
  const walker = fc.constantFrom<Role>('admin', 'admin', 'admin_key', 'user', 'owner')
  const long = { minLength: 5, maxLength: 20, size: 'max' as const }
  return fc.oneof(
    { weight: 5, arbitrary: fc.record({ role, recipes: fc.oneof(...themes) }) },
    { weight: 4, arbitrary: fc.record({ role: walker, recipes: fc.oneof(...walks) }) },
    { weight: 2, arbitrary: fc.record({ role, recipes: fc.array(wild, long) }) },
  )
}

const stepsOf = (journey: string): Operation[] =>
  journey.split(', ').flatMap((step) => {
    const [method, path] = step.split(' ')
    return operations.filter((one) => one.method === method && one.path === path)
  })

function recipes(operation: Operation, spoiltOneIn: number): fc.Arbitrary<Recipe> {
  const { method, parameters, body } = operation
  const of = (place: string) => parameters.filter((parameter) => parameter.in === place)
  const value = (one: Parameter) => fuzzedParameter(one, operation.path, spoiltOneIn)
  const path = fc.record(Object.fromEntries(of('path').map((one) => [one.name, value(one)])))
  const query = fc
    .tuple(...of('query').map((one) => fc.tuple(fc.constant(one.name), fc.option(value(one)))))
    .map((pairs) => pairs.filter(([, value]) => value !== null))
  return fc.record({
    operation: fc.constant(operation),
    method: rarely(fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'GET', 'POST'), method, 200),
    path,
    query: fc.oneof(
      { weight: 30, arbitrary: query },
      {
        weight: 1,
        arbitrary: fc.array(fc.tuple(fc.constantFrom('x', 'page', 'user_id'), hostile)),
      },
    ),
    headers,
    body: body === undefined ? needless : bodies(fuzzedValues(body, spoiltOneIn)),
    isPaid: fc.boolean(),
  })
}

const rarely = <Value>(rare: fc.Arbitrary<Value>, usual: Value, oneIn: number) =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: rare })

const json = fc.constant({ 'content-type': 'application/json' } as Record<string, string>)
const headerText = fc.constantFrom(...hostileTexts.filter((text) => /^[\x20-\x7e]*$/.test(text)))
const headers = fc.oneof(
  { weight: 30, arbitrary: json },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom('idempotency-key', 'x-request-id', 'origin', 'if-none-match', 'accept'),
        fc.oneof(headerText, fc.constantFrom('x'.repeat(255), 'x'.repeat(256), 'one', 'two', '*')),
      )
      .map(([name, text]) => ({ 'content-type': 'application/json', [name]: text })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Record<string, string>>(
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json;charset=x' },
      { 'content-type': 'multipart/form-data; boundary=x' },
      { 'content-type': '' },
      { 'content-type': 'application/json', 'content-encoding': 'gzip' },
    ),
  },
)

const needless = fc.constantFrom<Recipe['body']>(
  undefined,
  undefined,
  { raw: '' },
  { raw: 'null' },
  { raw: '{}' },
  { raw: '[' },
)

function bodies(values: fc.Arbitrary<unknown>): fc.Arbitrary<Recipe['body']> {
  const broken = fc.constantFrom<Recipe['body']>(
    undefined,
    { raw: '' },
    { raw: 'null' },
    { raw: '{' },
    { raw: '{"a":1e400}' },
    { raw: '[['.repeat(50_000) },
    { raw: '{"__proto__":{"x":1}}' },
    { raw: '"\\ud800"' },
    { raw: ' '.repeat(500_000) },
    { raw: `"${'x'.repeat(1_048_576)}"` },
  )
  return fc.oneof(
    { weight: 40, arbitrary: values.map((value) => ({ json: value })) },
    { weight: 1, arbitrary: broken },
  )
}
