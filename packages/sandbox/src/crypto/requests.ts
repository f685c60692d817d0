import type { State } from '../state.ts'
import { toText, toUnits } from './decimal.ts'
import { isMethodId, rateOf, storeMethods } from './methods.ts'
import { type InvoiceRequest, type MethodId, speeds } from './objects.ts'
import { invalid } from './problems.ts'

type Problem = { path: string; message: string }
type Json = Record<string, unknown>

export const isGroup = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses an invoice request; reports all problems together. */
export function readInvoiceRequest(body: unknown, state: State): InvoiceRequest {
  if (!isGroup(body)) throw invalid({ path: '', message: 'Send a JSON object.' })
  const problems: Problem[] = []
  const wrong = (path: string, message: string): void => void problems.push({ path, message })
  const checkout = readGroup(body, 'checkout', wrong)
  const receipt = readGroup(body, 'receipt', wrong)
  const metadata = readGroup(body, 'metadata', wrong)

  const number = (name: string, fallback: number, least: number, most: number): number => {
    const value = checkout[name] ?? fallback
    if (typeof value === 'number' && value >= least && value <= most) return value
    wrong(`checkout.${name}`, `Give a number from ${least} to ${most}.`)
    return fallback
  }
  const text = (name: string): string | null => {
    const value = checkout[name] ?? null
    if (value === null || typeof value === 'string') return value
    wrong(`checkout.${name}`, 'Give a text.')
    return null
  }
  const currency = String(body['currency'] ?? 'USD').toUpperCase()
  if (rateOf(state, 'BTC-CHAIN', currency) === undefined) wrong('currency', 'Invalid currency')
  const speed = speeds.find((one) => one === (checkout['speedPolicy'] ?? 'MediumSpeed'))
  if (!speed) wrong('checkout.speedPolicy', `Give one of ${speeds.join(', ')}.`)

  const request: InvoiceRequest = {
    amount: readAmount(body['amount'], wrong),
    currency,
    metadata,
    checkout: {
      speedPolicy: speed ?? 'MediumSpeed',
      paymentMethods: readMethods(checkout['paymentMethods'], state, wrong),
      defaultPaymentMethod: isMethodId(checkout['defaultPaymentMethod'])
        ? checkout['defaultPaymentMethod']
        : null,
      lazyPaymentMethods: checkout['lazyPaymentMethods'] === true,
      expirationMinutes: number('expirationMinutes', 15, 0.5, 525_600),
      monitoringMinutes: number('monitoringMinutes', 1_440, 0, 525_600),
      paymentTolerance: number('paymentTolerance', 0, 0, 100),
      redirectURL: text('redirectURL'),
      redirectAutomatically: checkout['redirectAutomatically'] === true,
      defaultLanguage: text('defaultLanguage'),
    },
    receipt: {
      enabled: flagOf(receipt, 'enabled'),
      showQR: flagOf(receipt, 'showQR'),
      showPayments: flagOf(receipt, 'showPayments'),
    },
  }
  if (problems.length > 0) throw invalid(...problems)
  return request
}

type FaultReporter = (path: string, message: string) => void

function readGroup(body: Json, name: string, wrong: FaultReporter): Json {
  const value = body[name] ?? {}
  if (isGroup(value)) return value
  wrong(name, 'Give an object.')
  return {}
}

const flagOf = (group: Json, name: string): boolean | null => {
  const value = group[name]
  return typeof value === 'boolean' ? value : null
}

function readAmount(value: unknown, wrong: FaultReporter): string | null {
  if (value === undefined || value === null) return null
  const units = toUnits(String(value))
  if (units !== undefined) return toText(units, 2)
  wrong('amount', 'The amount should be 0 or more.')
  return null
}

function readMethods(value: unknown, state: State, wrong: FaultReporter): MethodId[] {
  const offeredMethods = storeMethods(state).flatMap(({ id, enabled }) => (enabled ? [id] : []))
  if (value === undefined || value === null) return offeredMethods
  if (!Array.isArray(value)) {
    wrong('checkout.paymentMethods', 'Give a list.')
    return []
  }
  value.forEach((one, index) => {
    const isOffered = isMethodId(one) && offeredMethods.includes(one)
    if (!isOffered) wrong(`checkout.paymentMethods[${index}]`, 'Invalid PaymentMethodId')
  })
  return value.filter(isMethodId)
}
