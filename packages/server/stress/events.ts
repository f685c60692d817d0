// Events (docs/events.md): a thousand open streams beside lookups; and kill −9 under changes, after
// which no event is lost, early or out of order, neither in the feed nor at 20 webhook endpoints.
// npm run stress:events
// Shorter: npm run stress:events -- STREAMS=100 ROUNDS=1 KILLS=5 CHANGES=200
// One part only: npm run stress:events -- ONLY=streams
import { measureKills } from './events-kills.ts'
import { createPoller, createStreamReader } from './events-readers.ts'
import { measureStreams } from './events-streams.ts'
import { measureLatency, measureWebhooks } from './events-webhooks.ts'
import { runParts, sizeOf } from './parts.ts'

const streams = sizeOf('STREAMS', 1_000)
const rounds = sizeOf('ROUNDS', 4)
const kills = sizeOf('KILLS', 50)
const changes = sizeOf('CHANGES', 2_000)

await runParts('events', {
  streams: () => measureStreams(streams, rounds),
  kills: () => measureKills({ kills, changes, receivers: [createPoller(), createStreamReader()] }),
  latency: () => measureLatency({ changes }),
  webhooks: () => measureWebhooks({ kills, changes }),
})
