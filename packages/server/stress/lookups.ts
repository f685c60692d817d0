// Edits and lookups from two processes, while the second one's database connection is cut, frozen
// and restored: no lookup may return a value replaced more than a second ago. npm run
// stress:lookups
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmojiId, parseEmojiId } from '@emojid/core'
import { report } from '../../../benchmarks/report.ts'
import { readConfig } from '../src/config.ts'
import { transact } from '../src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../src/platform/database/embedded/server.ts'
import { createLog } from '../src/platform/log/log.ts'
import { startService } from '../src/service.ts'
import { launchReady, newPlace } from '../test/support/process.ts'
import { databaseProxy } from '../test/support/proxy.ts'

const lastsMs = 60_000
const toleratedMs = 1_000
const ids = ['🔥🐍', '🎸🎸🎸', '👋🌴', '🤖💎', '🐙🍕👑'].map(parseEmojiId)

const place = await newPlace()
const log = createLog('fatal')
const postgres = await startEmbeddedPostgres({ dataDir: `${place.folder}/pg`, log })
const { host, user, database } = postgres.connection
const direct = `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host ?? '')}`
const settings = { SEED_DEMO: 'true', ROLES: 'api', LOG_LEVEL: 'fatal' }
const config = readConfig({ DATA_DIR: place.env.DATA_DIR, DATABASE_URL: direct, ...settings })
const writer = await startService({ config: { ...config, port: 0, metrics_port: 0 }, log })
const proxy = await databaseProxy(postgres.connection, direct)
const reader = await launchReady({
  ...place.env,
  DATABASE_URL: proxy.url,
  ...settings,
})

type Edit = { number: number; at: number }
const edits = new Map<EmojiId, Edit[]>(ids.map((id) => [id, []]))
const tally = { edits: 0, lookups: 0, unavailable: 0, disturbances: 0, stale: 0, oldest_ms: 0 }
const endsAt = Date.now() + lastsMs
const goesOn = () => Date.now() < endsAt

await Promise.all([
  ...ids.map(edit),
  ...ids.map((id) => look(writer.address, id, 0)),
  ...ids.flatMap((id) => [look(reader.url, id, toleratedMs), look(reader.url, id, toleratedMs)]),
  disturb(),
])
reader.child.kill('SIGTERM')
await reader.exited
await writer.stop()
await proxy.close()
await postgres.stop()
await place.clear()

report(new URL('.', import.meta.url), 'lookups', {
  lasted_ms: lastsMs,
  tolerated_ms: toleratedMs,
  ...tally,
})
if (tally.stale > 0) process.exitCode = 1

async function edit(id: EmojiId): Promise<void> {
  for (let number = 1; goesOn(); number++) {
    await transact(writer.container.db, (trx) =>
      writer.container.edits.writeDemoRecords(trx, id, [{ tag: '0x5001', data: String(number) }]),
    )
    edits.get(id)?.push({ number, at: Date.now() })
    tally.edits++
    await sleep(20 + Math.random() * 300)
  }
}

async function look(url: string, id: EmojiId, tolerance: number): Promise<void> {
  while (goesOn()) {
    const askedAt = Date.now()
    const answer = await fetch(`${url}/api/emoji_id/${encodeURIComponent(id)}`)
    const body = (await answer.json()) as { result?: { tag: string; data: string }[] }
    if (answer.status === 503) tally.unavailable++
    else if (answer.status === 200) {
      tally.lookups++
      judge(
        id,
        Number(body.result?.find(({ tag }) => tag === '0x5001')?.data ?? 0),
        askedAt,
        tolerance,
      )
    } else throw new Error(`A lookup answered ${answer.status}`)
    await sleep(2)
  }
}

/** A response is stale when a later edit was committed before the tolerance. */
function judge(id: EmojiId, seenValue: number, askedAt: number, tolerance: number): void {
  const missedEdit = edits.get(id)?.find(({ number, at }) => number > seenValue && at < askedAt)
  if (!missedEdit) return
  const age = askedAt - missedEdit.at
  tally.oldest_ms = Math.max(tally.oldest_ms, age)
  if (age > tolerance) tally.stale++
}

async function disturb(): Promise<void> {
  const ways = ['cut', 'freeze'] as const
  for (let n = 0; goesOn(); n++) {
    await sleep(1_500 + Math.random() * 1_500)
    proxy[ways[n % 2] ?? 'cut']()
    tally.disturbances++
    await sleep(500 + Math.random() * 2_500)
    proxy.heal()
  }
}
