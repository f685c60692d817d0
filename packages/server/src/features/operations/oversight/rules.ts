import { refusal } from '../../../platform/errors.ts'

export const unknownThing = (thing: 'order' | 'code') =>
  refusal('not_found', `${thing}.unknown`, `There is no such ${thing}.`)
