import type { State } from '../state.ts'
import { CardApiError } from './errors.ts'

type Json = Record<string, unknown>

/** Expands ids to whole objects, along paths such as `data.payment_intent`. */
export function expand(state: State, answer: object, paths: readonly string[]): object {
  return paths.reduce((expanded, path) => follow(state, expanded, path.split('.'), path), answer)
}

function follow(state: State, value: object, [name, ...rest]: string[], path: string): object {
  if (name === undefined) return value
  if (Array.isArray(value)) return value.map((one) => follow(state, one, [name, ...rest], path))
  const group = value as Json
  if (name === 'line_items' && group['object'] === 'checkout.session') {
    return { ...group, line_items: lineItemsOf(state, String(group['id'])) }
  }
  if (!(name in group)) {
    throw new CardApiError(400, `This property cannot be expanded (${path}).`, { param: 'expand' })
  }
  const inner = group[name]
  if (inner === null) return group
  const whole = typeof inner === 'string' ? objectOf(state, inner, path) : (inner as object)
  return { ...group, [name]: follow(state, whole, rest, path) }
}

const finders: Readonly<Record<string, (state: State, id: string) => object | undefined>> = {
  ch: (state, id) => state.get('charge', id),
  cus: (state, id) => state.get('customer', id),
  du: (state, id) => state.get('dispute', id),
  pi: (state, id) => state.get('intent', id)?.intent,
  pm: (state, id) => state.get('payment_method', id),
  re: (state, id) => state.get('refund', id),
}

function objectOf(state: State, id: string, path: string): object {
  const object = finders[id.split('_', 1)[0] ?? '']?.(state, id)
  if (object) return object
  throw new CardApiError(400, `This property cannot be expanded (${path}).`, { param: 'expand' })
}

function lineItemsOf(state: State, id: string) {
  const data = state.get('session', id)?.line_items ?? []
  return { object: 'list', data, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` }
}
