import { ServiceError } from '../../../platform/errors.ts'

/** Returns a refusal as a value, so that one row does not stop the import. */
export async function catchRefusal<Value>(
  work: () => Promise<Value>,
): Promise<Value | ServiceError> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ServiceError && error.kind !== 'unavailable') return error
    throw error
  }
}
