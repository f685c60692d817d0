import { type Refusal, RefusedError, UnexpectedAnswerError } from '../errors.ts'
import { readRetryAfter } from './retry.ts'

const mostBytes = 32_000_000

/** The whole body, up to a limit. */
export async function readText(response: Response): Promise<string> {
  const reader = response.body?.getReader?.()
  if (!reader) return response.text()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > mostBytes) {
      await reader.cancel()
      throw new UnexpectedAnswerError('The response is too long for this API.')
    }
    text += decoder.decode(value, { stream: true })
  }
}

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new UnexpectedAnswerError('The response is not JSON. Check the address of the API.')
  }
}

/** An error response of any server: nothing about its body is assumed. */
export function toRefusal({ status, headers }: Response, text: string): RefusedError {
  const body = membersOf(text)
  const { error, error_description, code, fields, request_id } = body
  const message = [error_description, error].find((text) => typeof text === 'string' && text !== '')
  const isAlone = Object.keys(body).length === 1
  const isOurs = typeof code === 'string' && typeof request_id === 'string'
  const retryAfterMs = readRetryAfter(headers.get('retry-after'))
  const requestId = headers.get('x-request-id')
  return new RefusedError((message as string) ?? `The service answered with status ${status}.`, {
    status,
    reason: typeof code === 'string' ? code : '',
    isExplained: typeof error === 'string' && (isAlone || isOurs),
    ...(isObject(fields) ? { fields: fields as Refusal['fields'] & {} } : {}),
    ...(requestId ? { requestId } : {}),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function membersOf(text: string): Record<string, unknown> {
  try {
    const body: unknown = JSON.parse(text)
    return isObject(body) ? body : {}
  } catch {
    return {}
  }
}
