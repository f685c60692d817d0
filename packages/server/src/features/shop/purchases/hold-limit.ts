import { refusal } from '../../../platform/errors.ts'
import { dayMs, minuteMs } from '../../../platform/time.ts'

/** The hold limit: how long per day an account may block an id without paying. */
const unpaidHoldMs = 15 * minuteMs
/** A shorter hold leaves no time to pay, so the checkout is refused. */
const shortestHoldMs = minuteMs

export type HoldTime = { held: string; began_at: Date; ended_at: Date }

/** Holds that ended before this no longer count. */
export const holdsCountedSince = (now: Date): Date => new Date(now.getTime() - dayMs)

/**
 * The latest end of a hold that begins now. A configured hold longer than the limit is possible
 * once a day.
 */
export function holdEndWithin(times: readonly HoldTime[], holdEnd: Date, now: Date): Date {
  const wantedMs = holdEnd.getTime() - now.getTime()
  const limitMs = Math.max(unpaidHoldMs, wantedMs)
  const shortestMs = Math.min(shortestHoldMs, wantedMs)
  let end = holdEnd.getTime()
  const refusals = new Map<string, Date>()
  for (const heldId of new Set(times.map((time) => time.held))) {
    const ofThis = times.filter((time) => time.held === heldId)
    const leftMs = limitMs - unpaidMsOf(ofThis, now)
    if (leftMs < shortestMs) refusals.set(heldId, whenLeft(ofThis, limitMs - shortestMs))
    end = Math.min(end, now.getTime() + leftMs)
  }
  if (refusals.size > 0) throw holdLimit(refusals)
  return new Date(end)
}

function unpaidMsOf(times: readonly HoldTime[], now: Date): number {
  const since = now.getTime() - dayMs
  return times.reduce((sum, { began_at, ended_at }) => {
    const from = Math.max(began_at.getTime(), since)
    const to = Math.min(ended_at.getTime(), now.getTime())
    return sum + Math.max(0, to - from)
  }, 0)
}

/** When these holds will use no more than this much of the preceding day. */
function whenLeft(times: readonly HoldTime[], mostMs: number): Date {
  let laterMs = 0
  for (const { began_at, ended_at } of times.toReversed()) {
    const lengthMs = ended_at.getTime() - began_at.getTime()
    if (laterMs + lengthMs > mostMs) {
      return new Date(ended_at.getTime() - (mostMs - laterMs) + dayMs)
    }
    laterMs += lengthMs
  }
  return new Date(0)
}

const uuid = /^[0-9a-f-]{36}$/

const holdLimit = (refusals: ReadonlyMap<string, Date>) => {
  const fields: Record<string, { code: string; message: string }[]> = {}
  const messages = [...refusals].map(([heldId, at]) => {
    const isBox = uuid.test(heldId)
    const field = isBox ? 'lootbox_id' : 'eid'
    const message = `You held ${isBox ? 'lootbox ' : ''}${heldId} too long without paying. You can check it out again from ${at.toISOString()}.`
    fields[field] = [...(fields[field] ?? []), { code: 'hold_limit', message }]
    return message
  })
  const [possible_at] = [...refusals.values()].toSorted((a, b) => b.getTime() - a.getTime())
  const extra = { possible_at: (possible_at as Date).toISOString() }
  return refusal('refused', 'hold_limit', messages.join(' '), { fields, extra })
}
