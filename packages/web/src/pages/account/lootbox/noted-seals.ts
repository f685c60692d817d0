/** What is seen of a box while it is closed. */
export type Noted = {
  /** What the odds on the page were computed from. */
  odds?: string
  seed_hash?: string
  contents_hash?: string
  recipe_hash?: string
}

const place = 'lootbox-seals'
const keptAtMost = 200

function readAll(): Record<string, Noted> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}')
  } catch {
    return {}
  }
}

/** Notes what a closed box shows, so that it can be compared later. What was seen first counts. */
export function noteClosed(id: string, seen: Noted): void {
  const { [id]: before, ...others } = readAll()
  const kept = Object.entries(others).slice(1 - keptAtMost)
  const noted = Object.fromEntries([...kept, [id, { ...seen, ...before }]])
  try {
    localStorage.setItem(place, JSON.stringify(noted))
  } catch {
    // A browser that keeps nothing has nothing to compare later, and says so.
  }
}

export const notedOf = (id: string): Noted => readAll()[id] ?? {}
