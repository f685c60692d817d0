import { texts } from './texts.ts'

type Fields = Record<string, { code: string; message: string }[]>
type Body = { error?: string; code?: string; fields?: Fields; provider?: string }

/** An error of the API or the network, with a text that says what to do. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: number
  readonly code: string
  readonly fields: Fields
  /** The required second factor. */
  readonly provider: string | undefined

  constructor(status: number, body: Body) {
    super(body.error ?? texts.unknown)
    this.status = status
    this.code = body.code ?? 'unknown'
    this.fields = body.fields ?? {}
    this.provider = body.provider
  }

  /** The problem with one form field. */
  in(field: string): string | undefined {
    return this.fields[field]?.[0]?.message
  }
}

export const offline = (): Problem => new Problem(0, { error: texts.offline, code: 'offline' })

export const asProblem = (error: unknown): Problem => (error instanceof Problem ? error : offline())

/** Whether the API refused the request. After any other error, the request may have been carried out. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof Problem && error.status >= 400 && error.status < 500
