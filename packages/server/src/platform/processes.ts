/** The part of a process that a supervisor started (`PROCESSES` above 1). */
export type Part = {
  /** Names it in logs, metrics and health. */
  name: string
  /** The process that runs alone what exists once: demonstration data and play money. */
  leads: boolean
  /** HTTP processes that share the port. */
  processes: number
  /** The supervisor's embedded database; absent with `DATABASE_URL`. */
  database_url?: string | undefined
}

const variable = 'EMOJID_PART'

/** Its file of buckets is inherited after standard streams and the channel to the supervisor. */
export const bucketsFd = 4

let processes = 1

export const environmentOf = (part: Part) => ({ [variable]: JSON.stringify(part) })

/** Undefined in a process that serves alone, and in the supervisor. */
export function readPart(environment: NodeJS.ProcessEnv): Part | undefined {
  const text = environment[variable]
  return text ? (JSON.parse(text) as Part) : undefined
}

/** Before anything of the service is created. */
export function shareWith(count: number): void {
  processes = count
}

/**
 * The share of one process in a limit on what is open at once. Every process has at least one place.
 */
export const shareOfProcess = (limit: number): number => Math.ceil(limit / processes)
