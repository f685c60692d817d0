/** Failed attempts, by the hash of the subject. */
export type LoginFailuresTable = {
  subject: Buffer
  /** The hash of the login name; null for other subjects. */
  name: Buffer | null
  failures: number
  last_at: Date
  blocked_until: Date | null
}
