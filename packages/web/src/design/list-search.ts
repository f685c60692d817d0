import { useNavigate, useSearch } from '@tanstack/react-router'

/** What the address of a list says: which page, counted from 1, and what is looked for. */
export type ListSearch = { page?: number; [filter: string]: string | number | undefined }

const longest = 200

/** For `validateSearch`: keeps what a list may be asked for, as text. Which filters there are, its page knows. */
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
type Chosen<Offered extends Filters> = {
  [Name in keyof Offered]: (Offered[Name] extends readonly (infer One)[] ? One : string) | undefined
}

/** A day as it is written in addresses. */
const isDay = (text: string): boolean =>
  /^2\d{3}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

function isOffered(value: string, offered: Filters[string]): boolean {
  if (offered === 'text') return true
  return offered === 'day' ? isDay(value) : offered.includes(value)
}

/** A filter has one of its values; an address that says another says nothing. */
export function readFilters<const Offered extends Filters>(
  search: ListSearch,
  offered: Offered,
): Chosen<Offered> {
  const chosen = Object.entries(offered).map(([name, values]) => {
    const value = typeof search[name] === 'string' ? search[name] : undefined
    return [name, value !== undefined && isOffered(value, values) ? value : undefined]
  })
  return Object.fromEntries(chosen)
}

/** Page and filters of a list, kept in the address, so that it is the same after a reload or a link. */
export function useList<const Offered extends Filters>(offered: Offered) {
  const search = readListSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const filters = readFilters(search, offered)
  return {
    /** As the API counts: from 0. */
    page: (search.page ?? 1) - 1,
    filters,
    /** What a field shows and changes. Another question begins at its first page. */
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
