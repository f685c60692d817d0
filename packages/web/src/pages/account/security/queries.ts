import { queryOptions } from '@tanstack/react-query'
import { accountQuery } from '../../../api/account.ts'
import { api, unwrap } from '../../../api/client.ts'
import { queries } from '../../../api/query-client.ts'
import type { AnswerOf } from '../../../api/shapes.ts'

export type OpenSession = AnswerOf<'listSessions'>[number]

export type Provider = 'AuthenticatorApp' | 'SMS'

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: () => unwrap(api.GET('/account/sessions')),
  staleTime: 0,
})

export const endSession = (id: string) =>
  unwrap(api.DELETE('/account/sessions/{id}', { params: { path: { id } } }))

export const endOtherSessions = () => unwrap(api.DELETE('/account/sessions'))

export const applicationsQuery = queryOptions({
  queryKey: ['applications'],
  queryFn: () => unwrap(api.GET('/account/applications')),
  staleTime: 0,
})

/** Revokes the grant of an application. */
export const disconnectApplication = (client_id: string) =>
  unwrap(api.DELETE('/account/applications/{client_id}', { params: { path: { client_id } } }))

export const recoveryQuery = queryOptions({
  queryKey: ['recovery'],
  queryFn: () => unwrap(api.GET('/account/2fa/recovery')),
  staleTime: 0,
})

/** Idempotent: a code cancels the recovery too, so there may be none left. */
export const cancelRecovery = () => unwrap(api.DELETE('/account/2fa/recovery'))

const issuer = 'Emoji Id Directory'

/** The content of the QR code for authenticator apps (otpauth URI). */
export const otpauthUri = (secret: string, label: string): string =>
  `otpauth://totp/${encodeURIComponent(`${issuer}:${label}`)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`

export const prepareFactor = (provider: Provider, phone?: string) =>
  unwrap(api.POST('/account/2fa', { body: { provider, ...(phone ? { phone } : {}) } }))

/** Enables the prepared second factor with its first code. */
export async function confirmFactor(code: string): Promise<void> {
  await unwrap(api.POST('/account/2fa/confirm', { body: { code: code.replaceAll(/\s/g, '') } }))
  await refreshAccount()
}

export async function turnOff(provider: Provider): Promise<void> {
  await unwrap(api.POST('/account/2fa/disable', { body: { provider, disable_all: false } }))
  await refreshAccount()
}

type Name = { email: string | null; alternate_id: string | null }

/** For owners without their device. Revokes every session. */
export const turnOffWithBackup = (backup_code: string, { email, alternate_id }: Name) =>
  unwrap(
    api.POST('/account/2fa/backup_disable', {
      body: {
        backup_code,
        disable_all: true,
        ...(email ? { email } : { alternate_id: alternate_id ?? '' }),
      },
    }),
  )

const refreshAccount = () => queries.invalidateQueries({ queryKey: accountQuery.queryKey })
