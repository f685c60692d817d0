// Suspends and restores an id while all forms of lookups run at two processes with a replica and
// through nginx: every response must be within the promised bounds.
// npm run stress:suspension
// Shorter: npm run stress:suspension -- ROUNDS=4 LOOKUPS=2000
// Needs apt-get install -y postgresql nginx.
import { runParts, sizeOf } from './parts.ts'
import { measureSuspension } from './suspension-load.ts'

const rounds = sizeOf('ROUNDS', 20)
const lookups = sizeOf('LOOKUPS', 10_000)

await runParts('suspension', { suspension: () => measureSuspension(rounds, lookups) })
