import { EmojidError } from '../errors.ts'
import { nameOf } from '../payment.ts'
import type { Entry } from './entries.ts'

/** The existing entry differs. Show `check(entry)` to a person, who may `accept` it. */
export class AlreadyRememberedError extends EmojidError {
  override readonly name = 'AlreadyRememberedError'
  readonly code = 'already_remembered'
  readonly entry: Entry

  constructor(entry: Entry) {
    const conflict = `${entry.id} is saved with another address or owner for ${nameOf(entry.currency)}`
    super(`${conflict}. Check that entry, and let a person decide.`)
    this.entry = entry
  }
}
