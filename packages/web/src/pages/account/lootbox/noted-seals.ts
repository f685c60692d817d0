/** What is published of a box from its making on. */
export type Seals = { seed_hash: string; contents_hash: string }

const place = 'lootbox-seals'
const keptAtMost = 200

function readAll(): Record<string, Seals> {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}')
  } catch {
    return {}
  }
}

/** Notes the seals of a closed box, so that they can be compared later. The first that were seen count. */
export function noteSeals(id: string, { seed_hash, contents_hash }: Seals): void {
  const all = readAll()
  if (all[id]) return
  const kept = Object.entries(all).slice(1 - keptAtMost)
  const noted = Object.fromEntries([...kept, [id, { seed_hash, contents_hash }]])
  try {
    localStorage.setItem(place, JSON.stringify(noted))
  } catch {
    // A browser that keeps nothing has nothing to compare later, and says so.
  }
}

export const notedSeals = (id: string): Seals | undefined => readAll()[id]
