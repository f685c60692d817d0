import { setTimeout as sleep } from 'node:timers/promises'
import type { Findings } from './account-stage.ts'
import { startLoad } from './replica-load.ts'
import { type Stage, setStage } from './replica-stage.ts'

/** The service's guarantee while it listens to the primary, plus the time that nginx caches. */
const heardMs = 1_000
/** nginx counts in whole seconds: a response cached for one second may be served in the next. */
const roundingMs = 1_000

type Phase = {
  name: string
  /** The maximal age of the service's responses. */
  promised: (stage: Stage) => number
  break?: (stage: Stage) => Promise<unknown>
  heal?: (stage: Stage) => Promise<unknown>
  /** Conditions that must be observed besides. */
  expect?: (observations: FaultReport) => string[]
}

type FaultReport = {
  tally: ReturnType<Awaited<ReturnType<typeof startLoad>>['tally']>
  states: Set<string>
  behind_ms: number
  maxBehindMs: number
}

const failuresOf = ({ failed }: FaultReport['tally']) => failed.first + failed.second + failed.nginx

const phases: Phase[] = [
  {
    name: 'calm',
    promised: () => heardMs,
    // On a fast machine every read comes from memory, or is so new that it goes to the primary.
    expect: ({ tally }) => (failuresOf(tally) + tally.unavailable > 0 ? ['lookups failed'] : []),
  },
  {
    name: 'replica paused',
    promised: () => heardMs,
    break: ({ cluster }) => cluster.onReplica('select pg_wal_replay_pause()'),
    heal: ({ cluster }) => cluster.onReplica('select pg_wal_replay_resume()'),
    expect: ({ tally, states, behind_ms, maxBehindMs }) => [
      ...(failuresOf(tally) + tally.unavailable > 0 ? ['lookups failed'] : []),
      ...(states.has('behind') && behind_ms > maxBehindMs
        ? []
        : ['health did not tell that the replica is behind']),
      ...(tally.told_behind_ms > maxBehindMs ? ['an answer was older than promised'] : []),
    ],
  },
  {
    name: 'replica killed',
    promised: () => heardMs,
    break: ({ cluster }) => cluster.kill('replica'),
    heal: ({ cluster }) => cluster.revive('replica'),
    expect: ({ tally, states }) => [
      ...(failuresOf(tally) + tally.unavailable > 0 ? ['lookups failed'] : []),
      ...(states.has('away') ? [] : ['health did not tell that the replica is away']),
      ...(tally.slowest_ms > 2_000 ? [`a lookup took ${tally.slowest_ms} ms`] : []),
    ],
  },
  {
    name: 'primary killed',
    promised: ({ maxBehindMs }) => maxBehindMs,
    break: ({ cluster }) => cluster.kill('primary'),
    heal: ({ cluster }) => cluster.revive('primary'),
    expect: ({ tally, maxBehindMs }) => [
      ...(tally.by_source['replica'] ? [] : ['nothing was read from the replica']),
      ...(tally.unavailable > 0 ? [] : ['lookups were answered for ever']),
      ...(tally.told_behind_ms > maxBehindMs ? ['an answer was older than promised'] : []),
      ...(failuresOf(tally) > 0 ? ['lookups failed in another way than 503'] : []),
    ],
  },
  {
    name: 'first process killed',
    promised: () => heardMs,
    break: (stage) => stage.killService(0),
    heal: (stage) => stage.reviveService(0),
    expect: ({ tally: { failed, by_source } }) => [
      ...(failed.second + failed.nginx > 0 ? ['lookups failed at the other process'] : []),
      ...(by_source['nginx'] ? [] : ['nginx gave nothing']),
    ],
  },
]

/** Takes one component after another away and restores it under load: no response is wrong. */
export async function measureFaults(phaseSeconds: number): Promise<Findings> {
  const stage = await setStage()
  const figures: Record<string, unknown> = { ...stage.versions, max_behind_ms: stage.maxBehindMs }
  const broken: string[] = []
  const load = await startLoad(stage)
  const allow = (ofService: number) =>
    load.begin({
      first: ofService,
      second: ofService,
      nginx: ofService + stage.maxAgeMs + roundingMs,
    })
  allow(stage.maxBehindMs)
  await waitForReplica(stage)
  for (const phase of phases) {
    const observations: Omit<FaultReport, 'tally'> = {
      states: new Set(),
      behind_ms: 0,
      maxBehindMs: stage.maxBehindMs,
    }
    allow(phase.promised(stage))
    await phase.break?.(stage)
    const endsAt = Date.now() + phaseSeconds * 1_000
    while (Date.now() < endsAt) {
      const replica = await replicaAt(stage)
      if (replica) observations.states.add(replica.state)
      observations.behind_ms = Math.max(observations.behind_ms, replica?.behind_ms ?? 0)
      await sleep(100)
    }
    const tally = load.tally()
    const { failed_edits: _, ...counts } = tally
    figures[phase.name.replaceAll(' ', '_')] = {
      ...counts,
      replica_behind_ms: observations.behind_ms,
      replica_states: [...observations.states],
    }
    broken.push(
      ...(phase.expect?.({ ...observations, tally }) ?? []).map((text) => `${phase.name}: ${text}`),
    )
    const healStart = Date.now()
    await phase.heal?.(stage)
    await waitForReplica(stage)
    Object.assign(figures[phase.name.replaceAll(' ', '_')] as object, {
      healed_after_ms: Date.now() - healStart,
    })
  }
  await load.stop()
  await stage.clear()
  figures['wrong_answers'] = load.wrong.length
  return { figures, broken: [...broken, ...load.wrong] }
}

type Ready = { replica?: { state: string; behind_ms: number | null } }

/** The replica state that the second process reports. This process is never killed. */
async function replicaAt(stage: Stage) {
  const answer = await stage.direct(1, '/health/ready').catch(() => undefined)
  return ((await answer?.json().catch(() => undefined)) as Ready | undefined)?.replica
}

export async function waitForReplica(stage: Stage): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    if ((await replicaAt(stage))?.state === 'in use') return
    await sleep(50)
  }
  throw new Error('The replica was not used again within half a minute')
}
