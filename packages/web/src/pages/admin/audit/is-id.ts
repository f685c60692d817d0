import { spokenNames } from '../../../design/emoji-id.tsx'

/** Old entries may contain ids that are no longer valid. */
export function isId(value: unknown): value is string {
  try {
    return typeof value === 'string' && spokenNames(value) !== ''
  } catch {
    return false
  }
}
