type Json = Record<string, unknown>

export type Stage = {
  /** The URL of the API. */
  url: string
  /** The credentials of an administrator. */
  admin: { authorization: string }
  /** Calls the API. Throws on an error status. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Json>
}

/** One third-party program. Its result is stored in the report. */
export type Check = { name: string; run(stage: Stage): Promise<Json> }
