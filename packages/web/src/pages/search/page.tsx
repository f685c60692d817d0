import { texts } from '../../texts/en.ts'

/** What was typed, in the address: a search can be shared. */
export const readSearch = (search: Record<string, unknown>): { q?: string } =>
  typeof search['q'] === 'string' && search['q'] !== '' ? { q: search['q'] } : {}

export function SearchPage() {
  return (
    <div className="grid gap-4">
      <h1>{texts.search.title}</h1>
      <p className="text-soft">{texts.search.intro}</p>
    </div>
  )
}
