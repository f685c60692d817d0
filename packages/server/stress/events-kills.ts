// Kills the service (kill −9), and every second time its PostgreSQL too, while owners change their
// ids. Every receiver gets every event, none before its commit, and those of one id in order.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Findings, grantIds, logIn, onStage, quantile, type Stage } from './account-stage.ts'
import type { ReceivedEvent, Receiver } from './events-readers.ts'

const ids = ['🦀', '🐙', '🍕', '👑', '🌴', '🎸', '🚀', '💎'].flatMap((one) =>
  ['🔥🔥', '🐍🐍', '👻👻'].map((rest) => one + rest),
)
const addresses = [
  '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
  'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
]
/** Pause between two kills. */
const killPauseMs = { least: 300, most: 1_500 }
/** After this time an event counts as lost. */
const arrivesMs = 120_000

type Size = {
  kills: number
  changes: number
  receivers: readonly Receiver[]
  /** Receivers that fail on purpose, and may miss events. */
  companions?: readonly Receiver[]
  /** The pause of a writer between two changes. */
  writerPauseMs?: number
}

export const measureKills = ({
  kills,
  changes,
  receivers,
  companions = [],
  writerPauseMs = 0,
}: Size): Promise<Findings & { savedAt: Map<number, number> }> =>
  onStage(async (stage) => {
    const broken: string[] = []
    const token = await logIn(stage)
    await grantIds(stage, token, ids)
    const query = createQuery(stage)
    const check = async (events: readonly ReceivedEvent[]) =>
      void broken.push(...(await findUncommitted(query, events)))
    for (const receiver of receivers) await receiver.start(stage, check)
    for (const companion of companions) await companion.start(stage, async () => {})

    const writers = startWriters(stage, changes, writerPauseMs)
    let killCount = 0
    for (; killCount < kills; killCount++) {
      await sleep(killPauseMs.least + randomInt(killPauseMs.most - killPauseMs.least))
      await stage.kill({ withPostgres: killCount % 2 === 1 })
      await stage.restart()
      process.stderr.write(
        `kills: ${killCount + 1} of ${kills}, ${writers.acknowledged()} changes\n`,
      )
    }
    await writers.done
    const committed = await committedVersions(stage)
    const arrived = await Promise.all(
      receivers.map(async (receiver) => {
        const lostEvents = await waitForAll(receiver, committed)
        await receiver.stop().catch((error) => broken.push(`${receiver.name}: ${error.message}`))
        if (lostEvents > 0) broken.push(`${receiver.name}: ${lostEvents} events were lost`)
        const disorder = receiver.isUnordered ? [] : findDisorder(receiver.received)
        if (disorder.length > 0) broken.push(`${receiver.name}: ${disorder[0]} was out of order`)
        const distinct = new Set(receiver.received.map(({ id }) => id)).size
        const repeated = receiver.received.length - distinct
        return [
          receiver.name,
          { received: receiver.received.length, repeated, lost: lostEvents },
        ] as const
      }),
    )
    await Promise.all(companions.map((companion) => companion.stop()))
    const figures = {
      kills: { service: killCount, of_these_with_postgres: Math.floor(killCount / 2) },
      acknowledged_changes: writers.acknowledged(),
      committed_changes: committed.size,
      receivers: Object.fromEntries(arrived),
      ready_after_ms: {
        median: quantile(stage.readyMs, 0.5),
        slowest: Math.max(0, ...stage.readyMs),
      },
      broken: broken.length,
    }
    return { figures, broken, savedAt: await matchVersions(stage, writers.savedAt) }
  })

/** Owners who change their ids one after the other, all ids at once. */
function startWriters(stage: Stage, changes: number, pauseMs: number) {
  let acknowledged = 0
  const savedAt = new Map(ids.map((id) => [id, [] as number[]]))
  let token: Promise<string> | undefined
  const write = async (id: string, nth: number) => {
    // Spreads the writers over the pause, so that changes do not come in bursts.
    await sleep((pauseMs * nth) / ids.length)
    for (let n = 0; acknowledged < changes; n++) {
      token ??= logIn(stage)
      const data = addresses[n % addresses.length]
      const answer = await stage.call('PATCH', `/api/emoji_id/${encodeURIComponent(id)}`, {
        token: await token,
        body: { insert: [{ tag: '0x1003', data }] },
        dropAfterMs: 10_000,
      })
      if (answer?.status === 200) savedAt.get(id)?.push(Date.now())
      if (pauseMs > 0) await sleep(pauseMs)
      if (answer?.status === 200) acknowledged++
      else if (answer?.status === 401) token = undefined
      else await sleep(50)
    }
  }
  return { acknowledged: () => acknowledged, savedAt, done: Promise.all(ids.map(write)) }
}

type Query = (versions: readonly number[]) => Promise<Set<number>>

/**
 * Reads which versions are committed, over connections that stay open: one connection per event would
 * cost more than the deliveries under test.
 */
function createQuery(stage: Stage): Query {
  let opened: Promise<pg.Pool> | undefined
  const open = async () => {
    const pool = new pg.Pool({ ...(await stage.connection()), max: 8 })
    pool.on('error', () => {})
    return pool
  }
  return async (versions) => {
    opened ??= open()
    try {
      const { rows } = await (await opened).query<{ version: string }>(
        'select version from record_history where version = any ($1)',
        [versions],
      )
      return new Set(rows.map(({ version }) => Number(version)))
    } catch (error) {
      opened = undefined
      throw error
    }
  }
}

/** The versions of events that no committed change has: they arrived before their commit. */
async function findUncommitted(query: Query, events: readonly ReceivedEvent[]): Promise<string[]> {
  const versions = events
    .filter(({ type }) => type === 'emoji_id.records_changed')
    .map(({ data }) => Number(data.version))
  if (versions.length === 0) return []
  for (;;) {
    try {
      const knownVersions = await query(versions)
      return versions
        .filter((version) => !knownVersions.has(version))
        .map((version) => `version ${version} arrived before its commit`)
    } catch {
      // PostgreSQL is being restarted. A commit that it reported survives.
      await sleep(50)
    }
  }
}

/** When the response to each change arrived. Without kills an id has a version per response. */
async function matchVersions(
  stage: Stage,
  savedAt: ReadonlyMap<string, readonly number[]>,
): Promise<Map<number, number>> {
  const matched = new Map<number, number>()
  for (const [id, times] of savedAt) {
    const rows = await stage.query<{ version: string }>(
      'select version from record_history where emoji_id = $1 order by version desc limit $2',
      [id, times.length],
    )
    const versions = rows.map(({ version }) => Number(version)).toReversed()
    times.forEach((time, nth) => {
      const version = versions[nth]
      if (version !== undefined) matched.set(version, time)
    })
  }
  return matched
}

async function committedVersions(stage: Stage): Promise<Set<number>> {
  const rows = await stage.query<{ version: string }>(
    'select version from record_history where emoji_id = any ($1)',
    [ids],
  )
  return new Set(rows.map(({ version }) => Number(version)))
}

const versionsIn = (receivedEvents: readonly ReceivedEvent[]) =>
  new Set(
    receivedEvents
      .filter(
        ({ type, data }) => type.endsWith('records_changed') && ids.includes(data.emoji_id ?? ''),
      )
      .map(({ data }) => Number(data.version)),
  )

/** How many committed changes have not arrived, at the latest after the limit. */
async function waitForAll({ received }: Receiver, committed: Set<number>): Promise<number> {
  const giveUpAt = Date.now() + arrivesMs
  for (;;) {
    const seenVersions = versionsIn(received)
    const missing = [...committed].filter((version) => !seenVersions.has(version)).length
    if (missing === 0 || Date.now() > giveUpAt) return missing
    await sleep(100)
  }
}

/** Ids whose events did not arrive in the order of their versions; a repeat is allowed. */
function findDisorder(receivedEvents: readonly ReceivedEvent[]): string[] {
  const last = new Map<string, number>()
  const seenEvents = new Set<string>()
  const disordered = new Set<string>()
  for (const { id, data } of receivedEvents) {
    if (seenEvents.has(id) || !data.emoji_id || data.version === undefined) continue
    seenEvents.add(id)
    if (data.version <= (last.get(data.emoji_id) ?? 0)) disordered.add(data.emoji_id)
    last.set(data.emoji_id, data.version)
  }
  return [...disordered]
}
