import { EmojidError } from '../errors.ts'
import { nameOf } from '../payment.ts'
import type { Entry } from './entries.ts'

/** There is an entry that says something else. Show `check(entry)` to a person, who may `accept` it. */
export class AlreadyRememberedError extends EmojidError {
  override readonly name = 'AlreadyRememberedError'
  readonly code = 'already_remembered'
  readonly entry: Entry

  constructor(entry: Entry) {
    const what = `${entry.id} is remembered with another address or owner for ${nameOf(entry.currency)}`
    super(`${what}: check that entry, and let a person decide.`)
    this.entry = entry
  }
}
