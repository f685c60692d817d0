import type { State } from '../state.ts'
import type { EventType, Subject } from './objects.ts'

/** What the parts of the card provider work with. */
export type CardDesk = {
  state: State
  /** The time in whole seconds, as Stripe writes it. */
  seconds(): number
  /** Where buyers' browsers find the sandbox. */
  origin(): string
  /** Notes that something happened, for the list of events and for the webhook. */
  emit(type: EventType, subject: Subject): void
}
