type Json = Record<string, unknown>

export type Stage = {
  /** Where the API of the running service is. */
  url: string
  /** Calls the API; throws when the answer is no success. */
  api(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Json>
}

/** One outside program against the running service. What it returns is kept with the results. */
export type Check = { name: string; run(stage: Stage): Promise<Json> }
