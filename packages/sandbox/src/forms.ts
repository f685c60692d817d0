/** A parsed form: texts, lists, and groups of them. */
export type Form = { [name: string]: FormValue }
type FormValue = string | FormValue[] | Form

const deepest = 8
const longestList = 1_000

/** Parses `a[b][0]=c`, the nested notation of forms and queries. */
export function readForm(text: string): Form {
  const form: Form = Object.create(null)
  for (const [key, value] of new URLSearchParams(text)) put(form, partsOf(key), value)
  return form
}

/** `a[b][0]` is a, b, 0; `a[]` adds to the list a. */
function partsOf(key: string): string[] {
  const [, first = '', rest = ''] = /^([^[]*)(.*)$/s.exec(key) ?? []
  const parts = [first, ...[...rest.matchAll(/\[([^\]]*)\]/g)].map(([, part = '']) => part)]
  if (parts.length > deepest) throw new FormError(`The parameter ${key} is nested too deeply.`)
  return parts
}

function put(group: Form, [first = '', ...rest]: string[], value: string): void {
  const [next, ...further] = rest
  if (next === undefined) {
    group[first] = value
  } else if (next === '' || /^\d+$/.test(next)) {
    const list = group[first] ?? []
    if (!Array.isArray(list))
      throw new FormError(`The parameter ${first} is both a list and another value.`)
    group[first] = list
    putInList(list, next === '' ? list.length : Number(next), further, value)
  } else {
    const inner = asGroup(group[first], first)
    group[first] = inner
    put(inner, rest, value)
  }
}

function putInList(list: FormValue[], index: number, further: string[], value: string): void {
  if (index > Math.min(list.length, longestList)) {
    throw new FormError('The items of a list must be numbered without gaps, from 0.')
  }
  if (further.length === 0) {
    list[index] = value
    return
  }
  const inner = asGroup(list[index], String(index))
  list[index] = inner
  put(inner, further, value)
}

function asGroup(value: FormValue | undefined, name: string): Form {
  if (value === undefined) return Object.create(null)
  if (typeof value !== 'string' && !Array.isArray(value)) return value
  throw new FormError(`The parameter ${name} is both a group and another value.`)
}

export class FormError extends Error {
  override readonly name = 'FormError'
}
