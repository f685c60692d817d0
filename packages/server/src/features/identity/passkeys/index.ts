export { passkeyJobs } from './jobs.ts'
export { createPasskeys, type Passkeys } from './passkeys.ts'
export { challengeMs } from './rules.ts'
export type { Challenge } from './verify-passkey.ts'
