/** Failed attempts, by the hash of what was tried. */
export type LoginFailuresTable = {
  subject: Buffer
  failures: number
  last_at: Date
  blocked_until: Date | null
}
