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

/** What scripts go by. */
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
  [exitCodes.failed, 'refused by the service, or failed; of an import: some rows were refused'],
  [exitCodes.usage, 'wrong usage, or an id that cannot be one'],
  [exitCodes.network, 'no answer from the service'],
  [exitCodes.unregistered, 'nobody has the id'],
  [exitCodes.no_address, 'the id takes no payment of this kind'],
  [exitCodes.login, 'a log-in is missing or over, or a code is needed'],
  [exitCodes.untrusted, 'an answer that cannot be right: do not pay'],
  [exitCodes.interrupted, 'interrupted by Ctrl-C'],
]

/** Something is wrong with what was typed. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** Ctrl-C, where it is a key and no signal. */
export class InterruptedError extends Error {
  override readonly name = 'InterruptedError'
}

/** It did not work, and everything was said. */
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
  if (error instanceof RefusedError && [401, 424].includes(error.status)) return exitCodes.login
  return exitCodes.failed
}

const elsewhere = 'Perhaps this is not the address of the directory’s API. See --api.'

/** For the person who typed the command. */
export function sentenceFor(error: unknown): string {
  if (error instanceof RefusedError) return refusalSentence(error)
  if (error instanceof UnexpectedAnswerError) return `${error.message} ${elsewhere}`
  if (error instanceof NetworkError) return `${error.message} Is the address right? See --api.`
  if (error instanceof EmojidError || error instanceof Error) return error.message
  return String(error)
}

function refusalSentence(error: RefusedError): string {
  const { status, reason, message, fields, requestId, isExplained } = error
  if (status === 404 && !isExplained) {
    return `${message} ${elsewhere}`
  }
  if (status === 401 && reason !== 'wrong_credentials') {
    return `${message} Log in with: emojid login`
  }
  const told = Object.entries(fields).flatMap(([field, faults]) =>
    faults
      .filter((fault) => fault.message !== message)
      .map((fault) => `${field}: ${fault.message}`),
  )
  const trace = status >= 500 && requestId ? [`The number of this request is ${requestId}.`] : []
  return [message, ...told, ...trace].join('\n')
}
