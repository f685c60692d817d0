import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Exchange } from './recorder.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

/**
 * The parts of Stripe's API that the service uses, and the pinned SDK's types for requests and
 * responses.
 */
const operations: readonly [method: string, path: RegExp, sent: string, answered: string][] = [
  ['POST', /^\/v1\/checkout\/sessions$/, 'Checkout.SessionCreateParams', 'Checkout.Session'],
  ['GET', /^\/v1\/checkout\/sessions\/\w+$/, 'Checkout.SessionRetrieveParams', 'Checkout.Session'],
  [
    'POST',
    /^\/v1\/checkout\/sessions\/\w+\/expire$/,
    'Checkout.SessionExpireParams',
    'Checkout.Session',
  ],
  ['POST', /^\/v1\/payment_intents$/, 'PaymentIntentCreateParams', 'PaymentIntent'],
  ['GET', /^\/v1\/payment_intents\/\w+$/, 'PaymentIntentRetrieveParams', 'PaymentIntent'],
  ['POST', /^\/v1\/payment_intents\/\w+$/, 'PaymentIntentUpdateParams', 'PaymentIntent'],
  ['POST', /^\/v1\/payment_intents\/\w+\/confirm$/, 'PaymentIntentConfirmParams', 'PaymentIntent'],
  ['POST', /^\/v1\/payment_intents\/\w+\/cancel$/, 'PaymentIntentCancelParams', 'PaymentIntent'],
  ['GET', /^\/v1\/refunds$/, 'RefundListParams', 'ApiList<Stripe.Refund>'],
  ['POST', /^\/v1\/refunds$/, 'RefundCreateParams', 'Refund'],
  ['GET', /^\/v1\/refunds\/\w+$/, 'RefundRetrieveParams', 'Refund'],
  ['GET', /^\/v1\/disputes$/, 'DisputeListParams', 'ApiList<Stripe.Dispute>'],
  ['POST', /^\/v1\/customers$/, 'CustomerCreateParams', 'Customer'],
  [
    'GET',
    /^\/v1\/customers\/\w+\/payment_methods$/,
    'CustomerListPaymentMethodsParams',
    'ApiList<Stripe.PaymentMethod>',
  ],
  [
    'GET',
    /^\/v1\/customers\/\w+\/payment_methods\/\w+$/,
    'CustomerRetrievePaymentMethodParams',
    'PaymentMethod',
  ],
  ['POST', /^\/v1\/payment_methods\/\w+\/detach$/, 'PaymentMethodDetachParams', 'PaymentMethod'],
]

const numbers = new Set(['amount', 'expires_at', 'limit', 'quantity', 'unit_amount'])

/** Parses a form as the SDK writes it: `a[b][0]=c`, with numbers and flags as texts. */
function readForm(form: string): object {
  const read: Record<string, unknown> = {}
  for (const [key, value] of new URLSearchParams(form)) {
    const parts = key.split(/[[\]]+/).filter((part) => part !== '')
    const last = parts.at(-1) ?? ''
    let place: Record<string, unknown> = read
    parts.slice(0, -1).forEach((part, nth) => {
      place[part] ??= /^\d+$/.test(parts[nth + 1] ?? '') ? [] : {}
      place = place[part] as Record<string, unknown>
    })
    place[last] = numbers.has(last) ? Number(value) : last === 'enabled' ? value === 'true' : value
  }
  return read
}

const claim = (value: unknown, type: string, about: string): string =>
  `// ${about}\nvoid (${JSON.stringify(value)} satisfies ${type})\n`

/** A line of TypeScript per recorded exchange, which compiles if the SDK's types allow it. */
function claimsOf({ method, path, query, sent, status, answered }: Exchange): string {
  const operation = operations.find(([one, pattern]) => one === method && pattern.test(path))
  const about = `${method} ${path} ${status}`
  if (!operation) return `// ${about}\nunknown_operation\n`
  const form = method === 'GET' ? query : sent
  const type = status < 400 ? `Stripe.${operation[3]}` : '{ error: RawError }'
  return (
    claim(readForm(form), `Stripe.${operation[2]}`, about) +
    claim(JSON.parse(answered), type, about)
  )
}

/** The compiler errors for recorded requests, responses and events. */
export async function stripeFaults(
  exchanges: readonly Exchange[],
  events: readonly string[],
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'emojid-wire-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  const options = { strict: true, noEmit: true, skipLibCheck: true, module: 'nodenext' }
  const settings = { compilerOptions: { ...options, types: ['node'] }, files: ['traffic.ts'] }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings))
  const head = `import type Stripe from 'stripe'
type RawError = {
  type: Stripe.RawErrorType
  message: string
  code?: string
  doc_url?: string
  param?: string
  charge?: string
  decline_code?: string
  payment_intent?: Stripe.PaymentIntent
  payment_method?: Stripe.PaymentMethod
}
`
  const claims = [
    ...exchanges.map(claimsOf),
    ...events.map((event) => claim(JSON.parse(event), 'Stripe.Event', JSON.parse(event).type)),
  ]
  await writeFile(join(folder, 'traffic.ts'), head + claims.join(''))
  const compilerOutput = await new Promise<string>((resolve) => {
    execFile(join(root, 'node_modules/.bin/tsc'), ['-p', folder], (error, stdout) =>
      resolve(error ? stdout || error.message : ''),
    )
  })
  await rm(folder, { recursive: true })
  return compilerOutput
}
