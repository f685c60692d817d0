import {
  EmojidError,
  InvalidIdError,
  InvalidRequestError,
  NetworkError,
  NoAddressError,
  ProofError,
  RefusedError,
  UnexpectedAnswerError,
  UnregisteredError,
} from '@emojid/sdk'

/** Exit codes for scripts. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  network: 3,
  unregistered: 4,
  no_address: 5,
  login: 6,
  untrusted: 7,
  interrupted: 130,
} as const

export const exitMeanings: readonly (readonly [number, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'refused by the service, or failed; for an import: some rows were refused'],
  [exitCodes.usage, 'wrong usage, or an invalid id'],
  [exitCodes.network, 'no response from the service'],
  [exitCodes.unregistered, 'the id is not registered'],
  [exitCodes.no_address, 'the id has no address for this payment'],
  [exitCodes.login, 'a sign-in is missing or expired, or a code is needed'],
  [exitCodes.untrusted, 'an untrusted response: do not pay'],
  [exitCodes.interrupted, 'interrupted by Ctrl-C'],
]

/** Invalid arguments. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Ctrl-C in raw mode, where it is a key and no signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

/** Failed, with a complete message. */
export class FailedError extends Error {
  override readonly name = 'FailedError'
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof UsageError) return exitCodes.usage
  if (error instanceof InvalidIdError || error instanceof InvalidRequestError) {
    return exitCodes.usage
  }
  if (error instanceof NetworkError) return exitCodes.network
  if (error instanceof UnregisteredError) return exitCodes.unregistered
  if (error instanceof NoAddressError) return exitCodes.no_address
  if (error instanceof ProofError || error instanceof UnexpectedAnswerError) {
    return exitCodes.untrusted
  }
  if (error instanceof RefusedError) {
    const isOver = [401, 424].includes(error.status) || error.reason === 'old_login'
    return isOver ? exitCodes.login : exitCodes.failed
  }
  return exitCodes.failed
}

const otherAddressHint = 'Perhaps this is not the address of the directory’s API. See --api.'

/** The message for the person who ran the command. */
export function sentenceFor(error: unknown): string {
  if (error instanceof RefusedError) return refusalSentence(error)
  if (error instanceof UnexpectedAnswerError) return `${error.message} ${otherAddressHint}`
  if (error instanceof NetworkError) return `${error.message} Check the address. See --api.`
  if (error instanceof EmojidError || error instanceof Error) return error.message
  return String(error)
}

function refusalSentence(error: RefusedError): string {
  const { status, reason, message, fields, requestId, isExplained } = error
  if (status === 404 && !isExplained) {
    return `${message} ${otherAddressHint}`
  }
  if ((status === 401 && reason !== 'wrong_credentials') || reason === 'old_login') {
    return `${message} Sign in with: emojid login`
  }
  const lines = Object.entries(fields).flatMap(([field, faults]) =>
    faults
      .filter((fault) => fault.message !== message)
      .map((fault) => `${field}: ${fault.message}`),
  )
  const trace = status >= 500 && requestId ? [`The request id is ${requestId}.`] : []
  return [message, ...lines, ...trace].join('\n')
}
