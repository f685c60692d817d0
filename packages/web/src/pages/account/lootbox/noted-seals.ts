/** The public data of a closed box. */
export type Noted = {
  /** The parameters behind the odds on the page. */
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

/** Saves the public data of a closed box for a later check. The first version counts. */
export function saveClosedBox(id: string, seen: Noted): void {
  const { [id]: before, ...others } = readAll()
  const latest = Object.entries(others).slice(1 - keptAtMost)
  const noted = Object.fromEntries([...latest, [id, { ...seen, ...before }]])
  try {
    localStorage.setItem(place, JSON.stringify(noted))
  } catch {
    // Without storage there is nothing to compare later; the proof says so.
  }
}

export const readNoted = (id: string): Noted => readAll()[id] ?? {}
