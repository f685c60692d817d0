import { hourMs } from '../time.ts'

const prefix = 'parked-visit-'
/** Longer than an emailed link is valid. */
const keptMs = hourMs

type Parked = { until: number; given: Record<string, string> }

const read = (key: string): Parked | undefined => {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? '') as Parked
  } catch {
    return undefined
  }
}

function removeExpired(): void {
  const keys = Object.keys(window.localStorage).filter((key) => key.startsWith(prefix))
  for (const key of keys)
    if ((read(key)?.until ?? 0) < Date.now()) window.localStorage.removeItem(key)
}

/**
 * Stores a visit that is too long for an emailed link under a one-use name, because the link may open
 * in another window. Holds no secrets; does nothing without storage.
 */
export function parkVisit(given: Record<string, string>): string | undefined {
  try {
    removeExpired()
    const name = crypto.randomUUID()
    const parked: Parked = { until: Date.now() + keptMs, given }
    window.localStorage.setItem(prefix + name, JSON.stringify(parked))
    return name
  } catch {
    return undefined
  }
}

export function unparkVisit(name: string): Map<string, string> | undefined {
  try {
    removeExpired()
    const parked = read(prefix + name)
    window.localStorage.removeItem(prefix + name)
    return parked && new Map(Object.entries(parked.given))
  } catch {
    return undefined
  }
}
