import { noSuchNamed } from './errors.ts'
import type { Parameters } from './parameters.ts'

/** One page of a list whose newest object comes first. */
export function listPage<Item extends { id: string }>(
  items: readonly Item[],
  parameters: Parameters,
  url: string,
) {
  const limit = Math.min(Math.max(parameters.whole('limit') ?? 10, 1), 100)
  const indexOf = (name: string): number | undefined => {
    const id = parameters.text(name)
    if (id === undefined) return undefined
    const index = items.findIndex((item) => item.id === id)
    if (index < 0) throw noSuchNamed('object', id, name)
    return index
  }
  const after = indexOf('starting_after')
  const before = indexOf('ending_before')
  if (before !== undefined) {
    const start = Math.max(0, before - limit)
    return { object: 'list', data: items.slice(start, before), has_more: start > 0, url }
  }
  const start = after === undefined ? 0 : after + 1
  const data = items.slice(start, start + limit)
  return { object: 'list', data, has_more: start + limit < items.length, url }
}
