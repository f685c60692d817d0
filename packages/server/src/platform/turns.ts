import { createRounds } from './fair-queue.ts'
import { wideNetworkOf } from './http/network.ts'
import { currentNetwork } from './request-id.ts'

const longestBusyMs = 4

/** The time at which the work of this turn of the event loop began. */
let began: number | undefined
let isScheduled = false
/** The work that waits for a later turn, by wide network and network. */
const waiting = createRounds<() => void>()

/**
 * Awaited before the work of a request, and often in a long computation. Work that would make this
 * turn of the event loop long waits for a later one, where the wide networks take turns, and within
 * one its networks: many requests of one network delay each other, and those of another by one of
 * them.
 */
export function takeTurn(network = currentNetwork()): Promise<void> | undefined {
  const now = performance.now()
  if (began === undefined) {
    began = now
    schedule()
  }
  const isEarly = now - began < longestBusyMs
  if (isEarly && !waiting.next()) return undefined
  const party = { group: wideNetworkOf(network), name: network }
  const isFree = isEarly && waiting.tasksOf(party).length === 0
  return isFree ? undefined : new Promise((resolve) => waiting.add(party, resolve))
}

/** Maps a long list, with turns of the event loop between its items. */
export async function mapInTurns<Item, Mapped>(
  items: readonly Item[],
  map: (item: Item) => Mapped | Promise<Mapped>,
): Promise<Mapped[]> {
  const mapped: Mapped[] = []
  for (const item of items) {
    await takeTurn()
    mapped.push(await map(item))
  }
  return mapped
}

function schedule(): void {
  if (isScheduled) return
  isScheduled = true
  setImmediate(() => {
    isScheduled = false
    began = undefined
    if (waiting.next()) resume()
  })
}

function resume(): void {
  began ??= performance.now()
  schedule()
  const party = waiting.next()
  if (party) waiting.take(party, 'first')?.()
  // The next party resumes after the microtasks and ticks of this one.
  queueMicrotask(() => process.nextTick(resumeNext))
}

function resumeNext(): void {
  const isOver = began === undefined || performance.now() - began >= longestBusyMs
  if (!isOver && waiting.next()) resume()
}
