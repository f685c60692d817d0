import { randomText } from '../ids.ts'
import type { State } from '../state.ts'
import type { Courier } from '../webhooks/courier.ts'
import { noSuch } from './errors.ts'
import type { Event, EventType, StoredEvent, Subject } from './objects.ts'

/** The API version of these objects. */
const apiVersion = '2026-10-28.endive'

export type Events = ReturnType<typeof createEvents>

type Options = { state: State; seconds: () => number; courier: Courier }

export function createEvents({ state, seconds, courier }: Options) {
  const parcel = (subject: string, id = `dlv_${randomText(24)}`) => ({
    id,
    provider: 'card' as const,
    subject,
    endpoint: 'card',
    created: seconds(),
  })
  /** An event is pending until the webhook's receiver accepts it. */
  const view = ({ event, delivery }: StoredEvent): Event => {
    const isTaken = state.get('delivery', delivery)?.delivered
    return { ...event, pending_webhooks: isTaken ? 0 : 1 }
  }
  const find = (id: string): StoredEvent => {
    const storedEvent = state.get('event', id)
    if (!storedEvent) throw noSuch('event', id)
    return storedEvent
  }

  return {
    find,
    view,

    emit(type: EventType, subject: Subject): void {
      const id = `evt_${randomText(24)}`
      const delivery = `dlv_${randomText(24)}`
      const created = seconds()
      const event: Event = {
        id,
        object: 'event',
        api_version: apiVersion,
        created,
        data: { object: subject },
        livemode: false,
        pending_webhooks: 1,
        type,
        request: { id: null, idempotency_key: null },
      }
      state.put('event', { id, created, event, delivery })
      courier.post((copy) => parcel(id, copy === 0 ? delivery : undefined))
    },

    /** Delivers it again, independent of the settings. */
    deliverAgain: (id: string): void => courier.postNow(parcel(find(id).id)),
  }
}
