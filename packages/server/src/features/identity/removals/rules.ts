import { refusal } from '../../../platform/errors.ts'

export const removedBuyer = () =>
  refusal(
    'refused',
    'removed_buyer',
    'This account can’t get emoji ids, because our support closed another account of the same person. Write to our support if you disagree.',
  )

export const removedPerson = () =>
  refusal(
    'refused',
    'removed_person',
    'This account belongs to a person whom an operator removed. Send a reason to give the id anyway.',
  )
