import { UsageError } from './exit-codes.ts'

/** The option of commands whose audit entry has a reason. */
export const reasonOption = {
  type: 'string',
  value: 'text',
  about: 'the reason, for the audit log',
} as const

export function readReason(text: (option: string) => string | undefined): string {
  const reason = text('reason')
  if (!reason) throw new UsageError('Pass a --reason.')
  return reason
}
