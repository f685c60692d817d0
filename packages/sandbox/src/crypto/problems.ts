/** A request error in BTCPay's formats. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly body: object

  constructor(status: number, body: object) {
    super('The request was refused.')
    this.status = status
    this.body = body
  }
}

/** `ValidationProblemDetails`: one or more members are wrong. */
export const invalid = (...problems: { path: string; message: string }[]): ProblemError =>
  new ProblemError(422, problems)

/** `ProblemDetails`: the request as a whole is refused. */
export const refusalError = (status: number, code: string, message: string): ProblemError =>
  new ProblemError(status, { code, message })

export const notFound = (subject: string): ProblemError =>
  refusalError(404, `${subject}-not-found`, `The ${subject} was not found`)
