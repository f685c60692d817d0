import { setTimeout as sleep } from 'node:timers/promises'
import { type Findings, round } from './account-stage.ts'
import { type Phase, startClusterLoad } from './cluster-load.ts'
import { addressOf, type Nodes } from './cluster-nodes.ts'
import { type ClusterStage, onCluster } from './cluster-stage.ts'
import { findBroken } from './commerce-invariants.ts'
import { createLoad } from './commerce-load.ts'
import { describeRemaining, settle } from './commerce-settle.ts'
import { storiesOf } from './commerce-stories.ts'

type Target = { nodes: Nodes; leader: number; standby: number }

type Fault = {
  name: string
  /** The time until `heal`. Longer than the fault takes to be detected. */
  seconds: number
  begin?: (target: Target) => unknown
  heal?: (target: Target) => unknown
  /** The longest time without an acknowledged edit, and without an answered lookup. */
  goals?: { writes_ms?: number; lookups_ms?: number }
}

const calmMs = 1_200
const buyers = 1
const settlesMs = 120_000

const killAll = async ({ nodes }: Target) => {
  for (const n of nodes.places) {
    void nodes.killEtcd(n)
    void nodes.killPatroni(n)
    nodes.killPostmaster(n)
  }
}

const faults: Fault[] = [
  { name: 'calm', seconds: 8, goals: { writes_ms: 2_000, lookups_ms: calmMs } },
  {
    name: 'primary and its Patroni killed',
    seconds: 28,
    goals: { writes_ms: 20_000, lookups_ms: calmMs },
    begin: async ({ nodes, leader }) => {
      await nodes.killPatroni(leader)
      nodes.killPostmaster(leader)
    },
    heal: ({ nodes, leader }) => nodes.startPatroni(leader),
  },
  {
    name: 'switchover',
    seconds: 8,
    goals: { writes_ms: 3_000, lookups_ms: calmMs },
    begin: ({ nodes, leader, standby }) => {
      const body = { leader: `node${leader}`, candidate: `node${standby}` }
      return nodes.patroniApi(leader, 'POST', '/switchover', body)
    },
  },
  {
    name: 'primary cut off from the other machines',
    seconds: 34,
    begin: ({ nodes, leader }) => nodes.cut(leader, 'machines'),
    heal: ({ nodes }) => nodes.heal(),
  },
  {
    name: 'primary cut off from everybody',
    seconds: 34,
    begin: ({ nodes, leader }) => nodes.cut(leader, 'everybody'),
    heal: ({ nodes }) => nodes.heal(),
  },
  {
    name: 'synchronous standby killed',
    seconds: 10,
    goals: { lookups_ms: calmMs },
    begin: async ({ nodes, standby }) => {
      await nodes.killPatroni(standby)
      nodes.killPostmaster(standby)
    },
    heal: ({ nodes, standby }) => nodes.startPatroni(standby),
  },
  {
    name: 'one etcd killed',
    seconds: 8,
    goals: { lookups_ms: calmMs },
    begin: ({ nodes, leader }) => nodes.killEtcd(leader),
    heal: ({ nodes, leader }) => nodes.startEtcd(leader),
  },
  {
    name: 'two etcd killed',
    seconds: 30,
    goals: { lookups_ms: calmMs },
    begin: async ({ nodes, leader, standby }) => {
      await nodes.killEtcd(leader)
      await nodes.killEtcd(standby)
    },
    heal: ({ nodes, leader, standby }) => {
      nodes.startEtcd(leader)
      nodes.startEtcd(standby)
    },
  },
  {
    name: 'postmaster killed',
    seconds: 12,
    begin: ({ nodes, leader }) => nodes.killPostmaster(leader),
  },
  {
    name: 'everything killed and started',
    seconds: 1,
    begin: killAll,
    heal: ({ nodes }) => nodes.begin(),
  },
  {
    name: 'Patroni frozen',
    seconds: 35,
    goals: { lookups_ms: calmMs },
    begin: ({ nodes, leader }) => nodes.freezePatroni(leader),
    heal: ({ nodes, leader }) => nodes.thawPatroni(leader),
  },
]

const keyOf = (name: string) => name.replaceAll(/\W+/g, '_')

/** Every fault, with purchases, edits, lookups, event readers and webhooks running. */
export const measureFaults = (named: readonly string[]): Promise<Findings> =>
  onCluster(async (stage) => {
    const broken: string[] = []
    const figures: Record<string, unknown> = {}
    const shopLoad = createLoad(stage, broken)
    const people = await stage.registerMany(buyers)
    const stopShop = shopLoad.start(await storiesOf(stage, shopLoad), people)
    const load = await startClusterLoad(stage, await stage.register())
    for (const fault of faults) {
      if (named.length > 0 && !named.includes(keyOf(fault.name))) continue
      const { figures: found, wrong } = await endure(stage, load, fault)
      figures[keyOf(fault.name)] = found
      process.stderr.write(
        `${JSON.stringify(found)}\n${wrong.map((text) => `  ${text}\n`).join('')}`,
      )
      broken.push(...wrong.map((sentence) => `${fault.name}: ${sentence}`))
    }
    await load.stop()
    await stopShop()
    const settled = await settle(stage, settlesMs)
    const books = await findBroken(stage, shopLoad.answeredPaid)
    broken.push(...describeRemaining(settled), ...books.broken)
    const money = {
      answered_as_paid: shopLoad.answeredPaid.size,
      stories: shopLoad.counts,
      settled_after_ms: settled.ms,
      invariants: books.checked,
      broken: books.broken.length,
    }
    return { figures: { ...figures, money }, broken }
  })

async function endure(
  { nodes }: ClusterStage,
  load: Awaited<ReturnType<typeof startClusterLoad>>,
  fault: Fault,
  isControl = false,
): Promise<Phase> {
  await nodes.waitUntilHealthy()
  const [leader, standby] = [await nodes.leader(), await nodes.syncStandby()]
  const target = { nodes, leader, standby }
  await load.begin()
  await sleep(2_000)
  process.stderr.write(`faults: ${fault.name}\n`)
  await fault.begin?.(target)
  await sleep(fault.seconds * 1_000)
  const healedAt = Date.now()
  await fault.heal?.(target)
  // An unsafe setup may stay broken. Its primary shows what is lost.
  if (isControl) await sleep(15_000)
  else await nodes.waitUntilHealthy()
  const healed_after_ms = Date.now() - healedAt
  // A write after the recovery ends the gap of the figures.
  const giveUpAt = Date.now() + 60_000
  const hasWritten = () => isControl || load.lastWriteAt() >= healedAt + healed_after_ms
  while (!hasWritten() && Date.now() < giveUpAt) await sleep(100)
  const { figures, wrong } = await load.end()
  const { writes_ms = Infinity, lookups_ms = Infinity } = fault.goals ?? {}
  const late = (kind: string, ms: number, goal: number) =>
    ms > goal ? [`${kind} were interrupted for ${round(ms / 1_000)} s, goal ${goal / 1_000} s`] : []
  return {
    figures: { ...figures, healed_after_ms } as Phase['figures'],
    wrong: [
      ...wrong,
      ...late('writes', figures.writes_unavailable_ms, writes_ms),
      ...late('lookups', figures.lookups_unavailable_ms, lookups_ms),
    ],
  }
}

type Control = {
  name: string
  changePatroni?: (text: string) => string
  /** A process with the address of the primary instead of HAProxy. */
  isDirect?: true
  fault: Fault
  /** The figure that must not be zero. */
  proof: 'acknowledged_lost' | 'lookups_too_old'
}

const controls: Control[] = [
  {
    name: 'synchronous_mode: false',
    changePatroni: (text) =>
      text
        .replace('synchronous_mode: true', 'synchronous_mode: false')
        .replace('synchronous_mode_strict: true', 'synchronous_mode_strict: false'),
    fault: faults[3] as Fault,
    proof: 'acknowledged_lost',
  },
  {
    name: 'etcd3 of Patroni 3.0.2, frozen',
    changePatroni: (text) => text.replace('\netcd:\n', '\netcd3:\n'),
    fault: faults[10] as Fault,
    proof: 'acknowledged_lost',
  },
  {
    name: 'a direct address of a frozen primary',
    isDirect: true,
    fault: faults[10] as Fault,
    proof: 'lookups_too_old',
  },
]

/** Unsafe setups, in which the program must find a fault. */
export async function measureControls(named: readonly string[]): Promise<Findings> {
  const broken: string[] = []
  const figures: Record<string, unknown> = {}
  for (const { name, changePatroni, isDirect, fault, proof } of controls) {
    if (named.length > 0 && !named.includes(keyOf(name))) continue
    process.stderr.write(`controls: ${name}\n`)
    const found = await onCluster(
      async (stage) => {
        if (isDirect) {
          const address = `${addressOf(await stage.nodes.leader())}:5432`
          stage.urls.push(await stage.launchDirectly(address))
        }
        const load = await startClusterLoad(stage, await stage.register())
        const phase = await endure(stage, load, fault, true)
        await load.stop()
        return phase.figures
      },
      changePatroni ? { changePatroni } : {},
    )
    figures[keyOf(name)] = found
    process.stderr.write(`${JSON.stringify(found)}\n`)
    if (found[proof] === 0) broken.push(`The control “${name}” did not fail`)
  }
  return { figures, broken }
}
