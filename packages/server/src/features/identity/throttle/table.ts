/** Failed attempts, by the hash of what was tried. */
export type LoginFailuresTable = {
  subject: Buffer
  /** The hash of the name that was tried, where it was one. */
  name: Buffer | null
  failures: number
  last_at: Date
  blocked_until: Date | null
}
