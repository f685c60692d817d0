import type { State } from '../state.ts'
import { webhookSettings } from './settings.ts'

/** A message for the receiver of webhooks. */
export type Parcel = {
  id: string
  provider: 'card' | 'crypto'
  /** The subject: a card event, or an invoice. */
  subject: string
  /** The webhook that it is sent to. */
  endpoint: string
  /** The time in seconds since 1970. */
  created: number
}

/** The delivery state. The content is stored separately, since this changes with every attempt. */
export type Delivery = Parcel & {
  attempts: number
  /** The time of the next attempt, in milliseconds; null if finished. */
  due_at: number | null
  delivered: boolean
  http_code: number | null
  error: string | null
}

type Letter = { url: string; headers: Record<string, string>; body: string }

/** The delivery rules of one provider. */
export type Sender = {
  /** The content, receiver and current signature; undefined if the webhook was removed. */
  letterOf(delivery: Delivery): Letter | undefined
  /** The retry after a failed attempt, if any. */
  again(delivery: Delivery): Parcel | undefined
}

const pausesMs = [1_000, 2_000, 5_000, 15_000, 60_000, 300_000] as const
const mostAttempts = 50
const mostAtOnce = 50
const patienceMs = 10_000
const shuffleMs = 300

export type Courier = ReturnType<typeof createCourier>

/** Delivers webhooks in the background, with retries until they are accepted. */
export function createCourier(state: State, now: () => Date) {
  const senders = new Map<Parcel['provider'], Sender>()
  const timers = new Set<NodeJS.Timeout>()
  const ready: string[] = []
  const mixed: string[] = []
  const stoppingController = new AbortController()
  const underway = new Set<Promise<void>>()

  const after = (ms: number, work: () => void): void => {
    const timer = setTimeout(() => {
      timers.delete(timer)
      work()
    }, ms)
    timers.add(timer)
  }
  const enqueue = (...ids: string[]): void => {
    ready.push(...ids)
    carryOn()
  }
  const store = (parcel: Parcel, attempts: number, due_at: number | null): void =>
    state.put('delivery', {
      ...parcel,
      attempts,
      due_at,
      delivered: false,
      http_code: null,
      error: null,
    })

  function carryOn(): void {
    while (underway.size < mostAtOnce && !stoppingController.signal.aborted) {
      const id = ready.shift()
      if (id === undefined) return
      const attemptResult = attempt(id)
        // The outcome could not be stored: retry.
        .catch(() => after(pausesMs[0], () => enqueue(id)))
        .finally(() => {
          underway.delete(attemptResult)
          carryOn()
        })
      underway.add(attemptResult)
    }
  }

  async function attempt(id: string): Promise<void> {
    const delivery = state.get('delivery', id)
    if (!delivery || delivery.delivered) return
    const letter = senders.get(delivery.provider)?.letterOf(delivery)
    if (!letter) return finish(delivery, null, 'The webhook was removed.')
    const signal = AbortSignal.any([stoppingController.signal, AbortSignal.timeout(patienceMs)])
    try {
      const { url, headers, body } = letter
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        body,
        signal,
        headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
      })
      await answer.body?.cancel()
      finish(delivery, answer.status, answer.ok ? null : `The receiver answered ${answer.status}.`)
    } catch {
      // An interrupted delivery is sent again by the next run.
      if (!stoppingController.signal.aborted) finish(delivery, null, 'The receiver is unreachable.')
    }
  }

  function finish(delivery: Delivery, http_code: number | null, error: string | null): void {
    const attempts = delivery.attempts + 1
    state.change(() => {
      const outcome = { ...delivery, attempts, due_at: null, http_code, error }
      state.put('delivery', { ...outcome, delivered: error === null })
      if (error === null || attempts >= mostAttempts) return
      const next = senders.get(delivery.provider)?.again(delivery)
      if (!next) return
      const pause = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0
      store(next, attempts, now().getTime() + pause)
      after(pause, () => enqueue(next.id))
    })
  }

  function mix(id: string): void {
    mixed.push(id)
    if (mixed.length > 1) return
    after(shuffleMs, () => enqueue(...mixed.splice(0).reverse()))
  }

  return {
    serve: (provider: Parcel['provider'], sender: Sender): void =>
      void senders.set(provider, sender),

    /** Sends each copy according to the settings. */
    post(make: (copy: number) => Parcel): void {
      const { delay_ms, copies, shuffled, off } = webhookSettings(state)
      for (let copy = 0; copy < copies; copy += 1) {
        const parcel = make(copy)
        store(parcel, 0, off ? null : now().getTime() + delay_ms)
        if (off) return
        after(delay_ms, () => (shuffled ? mix(parcel.id) : enqueue(parcel.id)))
      }
    },

    postNow(parcel: Parcel): void {
      state.change(() => store(parcel, 0, now().getTime()))
      after(0, () => enqueue(parcel.id))
    },

    /** Continues the unfinished deliveries of an earlier run. */
    start(): void {
      for (const { id, due_at } of state.all('delivery')) {
        if (due_at !== null) after(Math.max(0, due_at - now().getTime()), () => enqueue(id))
      }
    },

    async stop(): Promise<void> {
      stoppingController.abort()
      for (const timer of timers) clearTimeout(timer)
      await Promise.all(underway)
    },
  }
}
