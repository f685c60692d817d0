// Guarantees of sales: races between buyers, repeated provider events, retried requests, and kill
// −9 at any moment.
// npm run stress:commerce
// One part, smaller: npm run stress:commerce -- ONLY=buyers BUYERS=20 ROUNDS=5
import { measureBuyers } from './commerce-buyers.ts'
import { measureEvents } from './commerce-events.ts'
import { measureKills } from './commerce-kills.ts'
import { measureRetries } from './commerce-retries.ts'
import { runParts, sizeOf } from './parts.ts'

const buyers = sizeOf('BUYERS', 100)
const rounds = sizeOf('ROUNDS', 100)
const races = sizeOf('RACES', 10)
const events = sizeOf('EVENTS', 1_000)
const requests = sizeOf('REQUESTS', 10_000)
const kills = sizeOf('KILLS', 40)

await runParts('commerce', {
  buyers: () => measureBuyers({ buyers, rounds, races }),
  events: () => measureEvents(events),
  retries: () => measureRetries(requests),
  kills: () => measureKills(kills),
})
