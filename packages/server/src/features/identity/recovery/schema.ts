import { Type } from 'typebox'
import { Nullable, Timestamp } from '../../../platform/http/schemas.ts'

export const PendingRecovery = Type.Object({
  second_factor_recovery: Nullable(
    Type.Object(
      { asked_at: Timestamp, ends_at: Timestamp },
      { description: 'From ends_at on, the emailed link removes the second factor' },
    ),
  ),
})

export const Message = Type.Object({ message: Type.String() })
