import { textLengths } from '@emojid/core'
import { type Static, Type } from 'typebox'
import { Nullable } from '../../../platform/http/api/schemas.ts'
import { ProviderName } from '../../operations/access/access.ts'

export const EnableBody = Type.Object({
  provider: ProviderName,
  default: Type.Optional(
    Type.Boolean({
      description:
        'Whether this is the default factor at sign-in; true by default. Shipped clients always send it, and it may be missing',
    }),
  ),
  phone: Type.Optional(
    Type.String({
      description:
        'For SMS, such as +14155550100. Needs a confirmed email address, if there is one',
    }),
  ),
  current_password: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 5_000,
        description:
          'Required if the sign-in is older than 15 minutes and the account has a password',
      }),
    ),
  ),
})
export type EnableBody = Static<typeof EnableBody>

export const EnableAnswer = Type.Object({
  backup_codes: Nullable(Type.Array(Type.String())),
  ga_qr_code_svg: Nullable(Type.String()),
  ga_secret: Nullable(Type.String()),
  phone_last_digits: Nullable(Type.String()),
})

export const CodeBody = Type.Object({ code: Type.String(textLengths.secondFactorCode) })
export const GiveCodeBody = Type.Object({
  code: Type.String(textLengths.secondFactorCode),
  refresh_token: Type.String({ maxLength: 5_000 }),
})

export const DisableBody = Type.Object({
  disable_all: Type.Boolean(),
  provider: Type.Optional(ProviderName),
})
export type DisableBody = Static<typeof DisableBody>

export const BackupDisableBody = Type.Object({
  backup_code: Type.String(textLengths.secondFactorCode),
  email: Type.Optional(Type.String()),
  alternate_id: Type.Optional(Type.String()),
  disable_all: Type.Optional(Type.Boolean()),
  provider: Type.Optional(ProviderName),
})
export type BackupDisableBody = Static<typeof BackupDisableBody>

export const Message = Type.Object({ message: Type.String() })
export const SmsAnswer = Type.Object({
  message: Type.String(),
  phone_last_digits: Nullable(Type.String()),
})
