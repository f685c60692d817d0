import { useNavigate, useSearch } from '@tanstack/react-router'

/** The URL state of a list: the page, counted from 1, and the filters. */
export type ListSearch = { page?: number; [filter: string]: string | number | undefined }

const longest = 200

/** For `validateSearch`: keeps all filters as text. The page knows which of them exist. */
export function readListSearch(search: Record<string, unknown>): ListSearch {
  const read: ListSearch = {}
  for (const [name, value] of Object.entries(search)) {
    if (name === 'page') {
      if (Number.isInteger(value) && Number(value) > 1)
        read.page = Math.min(Number(value), 1_000_000)
    } else if (['string', 'number', 'boolean'].includes(typeof value)) {
      const text = String(value).slice(0, longest)
      if (text !== '') read[name] = text
    }
  }
  return read
}

type Filters = Record<string, readonly string[] | 'text' | 'day'>
type FilterValues<Offered extends Filters> = {
  [Name in keyof Offered]: (Offered[Name] extends readonly (infer One)[] ? One : string) | undefined
}

/** A date as written in URLs. */
const isDay = (text: string): boolean =>
  /^2\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

function isOffered(value: string, filter: Filters[string]): boolean {
  if (filter === 'text') return true
  return filter === 'day' ? isDay(value) : filter.includes(value)
}

/** Ignores an invalid filter value in the URL. */
export function readFilters<const Offered extends Filters>(
  search: ListSearch,
  filters: Offered,
): FilterValues<Offered> {
  const choices = Object.entries(filters).map(([name, values]) => {
    const value = typeof search[name] === 'string' ? search[name] : undefined
    return [name, value !== undefined && isOffered(value, values) ? value : undefined]
  })
  return Object.fromEntries(choices)
}

/** The page and filters of a list, stored in the URL. */
export function useList<const Offered extends Filters>(offeredFilters: Offered) {
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const filters = readFilters(search, offeredFilters)
  return {
    /** The API counts pages from 0. */
    page: (search.page ?? 1) - 1,
    filters,
    /** Value and change handler of a filter field. A change returns to the first page. */
    field: <Name extends keyof Offered & string>(name: Name) => ({
      value: filters[name],
      onChange(value: string) {
        navigate({
          to: '.',
          replace: true,
          resetScroll: false,
          search: (before: ListSearch) =>
            readListSearch({ ...before, [name]: value, page: undefined }) as never,
        })
      },
    }),
  }
}
