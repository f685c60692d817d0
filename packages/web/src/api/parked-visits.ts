import { dayMs } from '../time.ts'

const prefix = 'parked-visit-'
/** As long as the longest emailed link is valid. */
const keptMs = dayMs

type ParkedVisit = { until: number; given: Record<string, string> }

const read = (key: string): ParkedVisit | undefined => {
  try {
    return JSON.parse(window.localStorage.getItem(key) ?? '') as ParkedVisit
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
 * Stores a visit under a one-use name, because the emailed link may open in another window. Holds no
 * secrets; does nothing without storage.
 */
export function parkVisit(visit: Record<string, string>): string | undefined {
  try {
    removeExpired()
    const name = crypto.randomUUID()
    const parked: ParkedVisit = { until: Date.now() + keptMs, given: visit }
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
