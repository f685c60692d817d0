/** The public data of a closed box. */
export type NotedSeals = {
  /** The parameters behind the odds on the page. */
  odds?: string
  seed_hash?: string
  contents_hash?: string
  recipe_hash?: string
}

const place = 'lootbox-seals'
const keptAtMost = 200

function readAll(): Record<string, NotedSeals> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}')
  } catch {
    return {}
  }
}

/** Saves the public data of a closed box for a later check. The first version counts. */
export function saveClosedBox(id: string, seenSeals: NotedSeals): void {
  const { [id]: before, ...others } = readAll()
  const latest = Object.entries(others).slice(1 - keptAtMost)
  const boxes = Object.fromEntries([...latest, [id, { ...seenSeals, ...before }]])
  try {
    localStorage.setItem(place, JSON.stringify(boxes))
  } catch {
    // Without storage there is nothing to compare later; the proof says so.
  }
}

export const readNoted = (id: string): NotedSeals => readAll()[id] ?? {}
