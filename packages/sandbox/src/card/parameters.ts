import type { Form } from '../forms.ts'
import { CardApiError, invalidParameter, missingParameter } from './errors.ts'

const smallest = 50
const largest = 99_999_999

/** Typed access to request parameters. Errors name nested ones as `a[b]`. */
export type Parameters = ReturnType<typeof readParameters>

export function readParameters(form: Form, within = '') {
  const named = (name: string) => (within ? `${within}[${name}]` : name)
  const text = (name: string): string | undefined => {
    const value = form[name]
    if (value === undefined) return undefined
    if (typeof value !== 'string') throw invalidParameter(named(name), `Invalid string: ${name}`)
    return value
  }
  const whole = (name: string): number | undefined => {
    const value = text(name)
    if (value === undefined) return undefined
    if (!/^-?\d{1,15}$/.test(value)) {
      const message = `Invalid integer: ${value}`
      throw invalidParameter(named(name), message, 'parameter_invalid_integer')
    }
    return Number(value)
  }
  const oneOf = <Value extends string>(name: string, allowed: readonly Value[]) => {
    const input = text(name)
    if (input === undefined) return undefined
    const match = allowed.find((value) => value === input)
    if (match === undefined) {
      throw invalidParameter(
        named(name),
        `Invalid ${named(name)}: must be one of ${allowed.join(', ')}`,
      )
    }
    return match
  }
  const group = (name: string) => {
    const value = form[name]
    if (value === undefined || value === '') return undefined
    if (typeof value === 'string' || Array.isArray(value)) {
      throw invalidParameter(named(name), `Invalid object: ${named(name)}`)
    }
    return readParameters(value, named(name))
  }

  return {
    text,
    whole,
    oneOf,
    group,
    named,
    /** An empty text removes a value, as in Stripe's updates. */
    textOrNull: (name: string): string | null => text(name) || null,
    has: (name: string): boolean => form[name] !== undefined,
    needed(name: string): string {
      const value = text(name)
      if (!value) throw missingParameter(named(name))
      return value
    },
    flag: (name: string): boolean | undefined => {
      const value = oneOf(name, ['true', 'false'])
      return value === undefined ? undefined : value === 'true'
    },
    texts(name: string): string[] | undefined {
      const value = form[name]
      if (value === undefined || value === '') return undefined
      if (!Array.isArray(value) || !value.every((one) => typeof one === 'string')) {
        throw invalidParameter(named(name), `Invalid array: ${named(name)}`)
      }
      return value as string[]
    },
    groups(name: string) {
      const value = form[name]
      if (!Array.isArray(value)) throw missingParameter(named(name))
      return value.map((one, index) => {
        const place = `${named(name)}[${index}]`
        if (typeof one === 'string' || Array.isArray(one)) {
          throw invalidParameter(place, `Invalid object: ${place}`)
        }
        return readParameters(one, place)
      })
    },
    metadata(name = 'metadata'): Record<string, string> | undefined {
      const value = form[name]
      if (value === undefined || value === '') return undefined
      if (typeof value === 'string' || Array.isArray(value)) {
        throw invalidParameter(named(name), `Invalid object: ${named(name)}`)
      }
      const entries = Object.entries(value)
      const fits = ([key, data]: [string, unknown]) =>
        key.length <= 40 && typeof data === 'string' && data.length <= 500
      if (entries.length > 50 || !entries.every(fits)) {
        throw invalidParameter(named(name), 'Metadata can have up to 50 texts of 500 characters.')
      }
      return Object.fromEntries(entries) as Record<string, string>
    },
    currency(name: string): string {
      const value = this.needed(name).toLowerCase()
      if (!/^[a-z]{3}$/.test(value)) {
        throw invalidParameter(named(name), `Invalid currency: ${value}`)
      }
      return value
    },
    /** Rejects unknown parameters, as Stripe does. */
    takes(...allowed: string[]): void {
      const strange = Object.keys(form).filter((name) => !allowed.includes(name))
      if (strange.length === 0) return
      const names = strange.map(named).join(', ')
      throw new CardApiError(400, `Received unknown parameter: ${names}`, {
        code: 'parameter_unknown',
        param: named(strange[0] ?? ''),
      })
    },
  }
}

/** The limits of a card payment. */
export function payableAmount(amount: number, currency: string, param: string): number {
  const formatCents = (cents: number) => `${(cents / 100).toFixed(2)} ${currency}`
  if (amount < 1) {
    throw invalidParameter(
      param,
      'This value must be greater than or equal to 1.',
      'parameter_invalid_integer',
    )
  }
  if (amount < smallest) {
    throw invalidParameter(
      param,
      `Amount must be at least ${formatCents(smallest)}`,
      'amount_too_small',
    )
  }
  if (amount > largest) {
    throw invalidParameter(
      param,
      `Amount must be no more than ${formatCents(largest)}`,
      'amount_too_large',
    )
  }
  return amount
}
