import { ServiceError } from '../../platform/errors.ts'

export class UnknownThingError extends ServiceError {
  override readonly name = 'Oversight.UnknownThingError'
  constructor(thing: 'order' | 'code') {
    super('not_found', `${thing}.unknown`, `There is no such ${thing}.`)
  }
}
