import type { Ask } from './ask.ts'
import { FailedError } from './exit-codes.ts'

/** The option of commands that ask before they change something. */
export const yes = { type: 'boolean', about: 'skip the confirmation' } as const

/** Asks, unless the person agreed by the option `--yes`; throws if the answer is no. */
export async function assertAgreed(ask: Ask, isAgreed: boolean, question: string): Promise<void> {
  if (!isAgreed && !(await ask.agrees(question))) throw new FailedError('Nothing changed.')
}
