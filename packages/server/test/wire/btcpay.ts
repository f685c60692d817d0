import { Ajv, type AnySchema } from 'ajv'
import type { Exchange } from './recorder.ts'

/**
 * The parts of BTCPay's Greenfield API that the service uses, by its official descriptions of 2.0.0
 * and 2.4.1. Members of only one version are marked. `destination` and `description` are null in
 * responses of both, although neither description says so.
 */
type Members = Record<string, AnySchema>
type Operation = {
  method: string
  path: RegExp
  /** Allowed query parameters. */
  query?: readonly string[]
  /** The allowed members of a request in each version. */
  request?: Record<Version, Members>
  answer: AnySchema
}
const versions = ['2.0.0', '2.4.1'] as const
type Version = (typeof versions)[number]

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const flag = { type: 'boolean' }
const flagOrNull = { type: ['boolean', 'null'] }
const number = { type: 'number' }
const decimal = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' }
const amount = { type: 'string', pattern: '^\\d+(\\.\\d+)?$' }
const oneOf = (...values: string[]) => ({ enum: values })
const list = (items: AnySchema) => ({ type: 'array', items })
/** Exactly these members, except optional ones. */
const group = (properties: Members, optional: Members = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
})

const invoiceStatus = oneOf('New', 'Processing', 'Expired', 'Invalid', 'Settled')
const checkout: Members = {
  speedPolicy: oneOf('HighSpeed', 'MediumSpeed', 'LowSpeed', 'LowMediumSpeed'),
  paymentMethods: list(text),
  defaultPaymentMethod: textOrNull,
  lazyPaymentMethods: flagOrNull,
  expirationMinutes: number,
  monitoringMinutes: number,
  paymentTolerance: { type: 'number', minimum: 0, maximum: 100 },
  redirectURL: textOrNull,
  redirectAutomatically: flagOrNull,
  defaultLanguage: textOrNull,
}
const newInvoice: Members = {
  amount,
  currency: text,
  metadata: { type: 'object' },
  checkout: group({}, checkout),
}
const invoice = group(
  {
    id: text,
    storeId: text,
    amount,
    currency: text,
    type: oneOf('Standard', 'TopUp'),
    checkoutLink: text,
    createdTime: number,
    expirationTime: number,
    monitoringExpiration: number,
    status: invoiceStatus,
    additionalStatus: oneOf('None', 'PaidLate', 'PaidPartial', 'Marked', 'Invalid', 'PaidOver'),
    availableStatusesForManualMarking: list(invoiceStatus),
    archived: flag,
    metadata: { type: 'object' },
    checkout: group(checkout),
    receipt: group({ enabled: flagOrNull, showQR: flagOrNull, showPayments: flagOrNull }),
  },
  // Since 2.4. The service does not depend on it.
  { paidAmount: decimal },
)
const payment = group({
  id: text,
  receivedDate: number,
  value: amount,
  fee: amount,
  status: oneOf('Invalid', 'Processing', 'Settled'),
  destination: textOrNull,
})
const paymentMethod = group({
  paymentMethodId: text,
  currency: text,
  destination: textOrNull,
  paymentLink: textOrNull,
  rate: amount,
  paymentMethodPaid: amount,
  totalPaid: amount,
  due: decimal,
  amount,
  paymentMethodFee: amount,
  payments: list(payment),
  activated: flag,
  additionalData: { type: 'object' },
})
const pullPayment = group({
  id: text,
  name: text,
  description: textOrNull,
  currency: text,
  amount,
  BOLT11Expiration: text,
  autoApproveClaims: flagOrNull,
  archived: flag,
  viewLink: text,
})
const payout = group({
  id: text,
  revision: { type: 'integer' },
  pullPaymentId: text,
  date: text,
  destination: text,
  originalCurrency: text,
  originalAmount: amount,
  payoutCurrency: text,
  payoutAmount: { ...amount, type: ['string', 'null'] },
  payoutMethodId: text,
  state: oneOf('AwaitingApproval', 'AwaitingPayment', 'InProgress', 'Completed', 'Cancelled'),
  paymentProof: { type: ['object', 'null'] },
  metadata: { type: 'object' },
})
const refund: Members = {
  name: textOrNull,
  description: text,
  refundVariant: oneOf('RateThen', 'CurrentRate', 'OverpaidAmount', 'Fiat', 'Custom'),
  customAmount: amount,
  customCurrency: text,
}
const inBoth = (members: Members): Record<Version, Members> => ({
  '2.0.0': members,
  '2.4.1': members,
})

const operations: readonly Operation[] = [
  {
    method: 'POST',
    path: /^\/api\/v1\/stores\/[^/]+\/invoices$/,
    request: inBoth(newInvoice),
    answer: invoice,
  },
  {
    method: 'GET',
    path: /^\/api\/v1\/stores\/[^/]+\/invoices$/,
    // Both versions read `includeArchived`, and neither describes it.
    query: ['orderId', 'includeArchived'],
    answer: list(invoice),
  },
  { method: 'GET', path: /^\/api\/v1\/stores\/[^/]+\/invoices\/[^/]+$/, answer: invoice },
  {
    method: 'GET',
    path: /^\/api\/v1\/stores\/[^/]+\/invoices\/[^/]+\/payment-methods$/,
    answer: list(paymentMethod),
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/stores\/[^/]+\/invoices\/[^/]+\/status$/,
    request: inBoth({ status: oneOf('Invalid', 'Settled') }),
    answer: invoice,
  },
  {
    method: 'POST',
    path: /^\/api\/v1\/stores\/[^/]+\/invoices\/[^/]+\/refund$/,
    request: {
      '2.0.0': { ...refund, payoutMethodId: text },
      '2.4.1': { ...refund, payoutMethods: { type: 'array', items: text, minItems: 1 } },
    },
    answer: pullPayment,
  },
  {
    method: 'GET',
    path: /^\/api\/v1\/stores\/[^/]+\/pull-payments$/,
    query: ['includeArchived'],
    answer: list(pullPayment),
  },
  // Archives it. The response is empty.
  { method: 'DELETE', path: /^\/api\/v1\/stores\/[^/]+\/invoices\/[^/]+$/, answer: {} },
  { method: 'GET', path: /^\/api\/v1\/pull-payments\/[^/]+$/, answer: pullPayment },
  {
    method: 'GET',
    path: /^\/api\/v1\/pull-payments\/[^/]+\/payouts$/,
    answer: list(payout),
  },
]

const problem = group({ code: text, message: text })
const problems = list(group({ path: text, message: text }))

const about: Members = {
  deliveryId: text,
  webhookId: text,
  originalDeliveryId: text,
  isRedelivery: flag,
  type: text,
  timestamp: number,
  storeId: text,
  invoiceId: text,
  metadata: { type: 'object' },
}
const aboutPayment = { ...about, afterExpiration: flag, paymentMethodId: text, payment }
const events: Record<string, AnySchema> = {
  InvoiceCreated: group(about),
  InvoiceReceivedPayment: group(aboutPayment),
  InvoicePaymentSettled: group(aboutPayment),
  InvoiceProcessing: group({ ...about, overPaid: flag }),
  InvoiceExpired: group({ ...about, partiallyPaid: flag }),
  InvoiceSettled: group({ ...about, manuallyMarked: flag, overPaid: flag }),
  InvoiceInvalid: group({ ...about, manuallyMarked: flag }),
}

const ajv = new Ajv({ allErrors: true, strict: false })
const faultsOf = (schema: AnySchema, value: unknown): string[] =>
  ajv.validate(schema, value)
    ? []
    : (ajv.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)

/** The errors of each version about a request: a required member is missing or wrong. */
function requestFaults(request: Record<Version, Members>, body: unknown): string[] {
  const knownMembers = new Set(versions.flatMap((version) => Object.keys(request[version])))
  const unknown = Object.keys(Object(body)).filter((name) => !knownMembers.has(name))
  return [
    ...unknown.map((name) => `${name} is known to no version`),
    ...versions.flatMap((version) => {
      const properties = request[version]
      const schema = { type: 'object', properties, required: Object.keys(properties) }
      return faultsOf(schema, body).map((fault) => `${version}: ${fault}`)
    }),
  ]
}

/** The errors in a request to BTCPay or its response, by the official descriptions. */
export function btcpayFaults({ method, path, query, sent, status, answered }: Exchange): string[] {
  const operation = operations.find((one) => one.method === method && one.path.test(path))
  const name = `${method} ${path} → ${status}`
  if (!operation) return [`${name}: no such operation in every 2.x`]
  const { request, answer } = operation
  const strange = [...new URLSearchParams(query).keys()].filter(
    (key) => !operation.query?.includes(key),
  )
  const schema = status === 422 ? problems : status >= 400 ? problem : answer
  return [
    ...strange.map((key) => `query ${key}`),
    ...(request ? requestFaults(request, JSON.parse(sent)) : []),
    ...faultsOf(schema, JSON.parse(answered || '{}')),
  ].map((fault) => `${name}: ${fault}`)
}

export function btcpayEventFaults(body: string): string[] {
  const event = JSON.parse(body)
  const schema = events[event.type]
  if (!schema) return [`${event.type}: no such event`]
  return faultsOf(schema, event).map((fault) => `${event.type}: ${fault}`)
}
