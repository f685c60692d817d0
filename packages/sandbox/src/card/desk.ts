import type { State } from '../state.ts'
import type { EventType, Subject } from './objects.ts'

/** Dependencies of the parts of the card provider. */
export type CardDesk = {
  state: State
  /** The time in whole seconds, as Stripe writes it. */
  seconds(): number
  /** The address of the sandbox in buyers' browsers. */
  origin(): string
  /** Records an event for the list of events and for the webhook. */
  emit(type: EventType, subject: Subject): void
}
