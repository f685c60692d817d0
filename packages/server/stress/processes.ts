// kill −9 and restarts of HTTP processes behind one port and nginx, under lookups and edits:
// npm run stress:processes
// Shorter: npm run stress:processes -- KILLS=10. Needs apt-get install -y postgresql nginx.
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Findings } from './account-stage.ts'
import { runParts, sizeOf } from './parts.ts'
import { grantAll, ids, uneditedIds } from './replica-load.ts'
import { hosts, json, type Stage, setStage } from './replica-stage.ts'

const kills = sizeOf('KILLS', 100)
const restarts = sizeOf('RESTARTS', 3)
const processes = 3
const lookupsAtOnce = 8
const pauseMs = 1_500
/** For a replacement or a restart, on a busy machine. */
const patienceMs = 600_000
/** All processes serve a change within a second. */
const freshMs = 1_000

const tag = '0x0005'

type Tally = { lookups: number; edits: number; failed: Record<string, number>; stale: number }

/** One writer per id with increasing numbers, and lookups of all ids, through nginx. */
function startLoad(stage: Stage, token: string, firstNumber: number) {
  const tally: Tally = { lookups: 0, edits: 0, failed: {}, stale: 0 }
  const acknowledged = new Map<string, { number: number; at: number }[]>(ids.map((id) => [id, []]))
  let isOver = false
  const fail = (text: string) => {
    tally.failed[text] = (tally.failed[text] ?? 0) + 1
  }
  const send = async (path: string, init: object) => {
    const signal = AbortSignal.timeout(20_000)
    const answer = await stage
      .through(hosts.api, path, { ...init, signal })
      .catch((error: Error) => error)
    if (answer instanceof Error) return { status: answer.message, text: '' }
    const text = await answer.text().catch(() => '')
    // Load shedding on a busy machine and an unreachable process have different causes.
    const reason =
      answer.status === 503 ? ` ${/"error": ?"([^"]*)"/.exec(text)?.[1] ?? 'nginx'}` : ''
    return { status: `${answer.status}${reason}`, text }
  }
  const edit = async (id: string) => {
    for (let number = firstNumber; !isOver; number++) {
      const insert = [{ tag, data: `state ${number}` }]
      const { status } = await send(stage.pathOf(id), json('PATCH', { insert }, token))
      if (status === '200') {
        tally.edits++
        acknowledged.get(id)?.push({ number, at: Date.now() })
      } else fail(`edit ${status}`)
      await sleep(100)
    }
  }
  const look = async (n: number) => {
    const all = [...ids, ...uneditedIds]
    for (let at = n; !isOver; at++) {
      const id = all[at % all.length] ?? ''
      const askedAt = Date.now()
      const { status, text } = await send(stage.pathOf(id), {})
      if (status !== '200') fail(`lookup ${status}`)
      else {
        tally.lookups++
        const seen = Number(/state (\d+)/.exec(text)?.[1] ?? 0)
        const edits = acknowledged.get(id) ?? []
        if (edits.some(({ number, at }) => number > seen && at < askedAt - freshMs)) tally.stale++
      }
      await sleep(5)
    }
  }
  const loops = [...ids.map(edit), ...Array.from({ length: lookupsAtOnce }, (_, n) => look(n))]
  return {
    tally,
    async stop() {
      isOver = true
      await Promise.all(loops)
      return acknowledged
    },
  }
}

async function readyProcesses(stage: Stage): Promise<string[]> {
  const text = await fetch(stage.metricsUrls[0] ?? '').then((answer) => answer.text())
  const ready = text.matchAll(/^process_ready\{process="(http-\d+)"\} 1$/gm)
  return [...ready].map(([, name = '']) => name)
}

const supervisorOf = (stage: Stage) => stage.services[0]?.child.pid ?? 0

function pidsOf(stage: Stage): Map<string, number> {
  const pid = supervisorOf(stage)
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return new Map(children.map((child) => [nameOf(child), Number(child)]))
}

/** Empty once the process has ended. */
function nameOf(pid: string): string {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
    return /\{"name":"([\w-]+)"/.exec(environment)?.[1] ?? ''
  } catch {
    return ''
  }
}

async function until(title: string, check: () => Promise<boolean>): Promise<void> {
  for (const giveUpAt = Date.now() + patienceMs; !(await check()); await sleep(50)) {
    if (Date.now() > giveUpAt) throw new Error(`${title}: not within ${patienceMs} ms`)
  }
}

/** A final read would hide a lost write that a later one replaced. */
async function countLost(stage: Stage, acknowledged: Map<string, { number: number }[]>) {
  const client = new pg.Client(stage.cluster.urls.primary)
  await client.connect()
  let lost = 0
  for (const [id, edits] of acknowledged) {
    const { rows } = await client.query(
      'select records::text from record_history where emoji_id = $1',
      [id],
    )
    const text = JSON.stringify(rows)
    lost += edits.filter(({ number }) => !text.includes(`state ${number}\\`)).length
  }
  await client.end()
  return lost
}

async function underLoad(
  stage: Stage,
  token: string,
  firstNumber: number,
  act: () => Promise<object>,
  mayFail: (failure: string) => boolean,
): Promise<Findings> {
  const load = startLoad(stage, token, firstNumber)
  await sleep(pauseMs)
  const acted = await act()
  await sleep(pauseMs)
  const lost = await countLost(stage, await load.stop())
  const { tally } = load
  const broken = Object.entries(tally.failed).flatMap(([failure, count]) =>
    mayFail(failure) ? [] : [`${count} times: ${failure}`],
  )
  if (lost > 0) broken.push(`${lost} acknowledged edits were lost`)
  if (tally.stale > 0) broken.push(`${tally.stale} lookups were older than ${freshMs} ms`)
  return { figures: { ...acted, ...tally, acknowledged_edits_lost: lost }, broken }
}

let stage: Stage | undefined
let token = ''
async function open(): Promise<Stage> {
  if (stage) return stage
  stage = await setStage({ processes })
  token = await stage.logIn()
  await grantAll(stage, token)
  return stage
}

/** A lookup must not fail; the client repeats an edit that the killed process did not finish. */
async function measureKills(): Promise<Findings> {
  const opened = await open()
  const kill = async () => {
    for (let n = 0; n < kills; n++) {
      let ready: string[] = []
      await until('two ready processes', async () => {
        ready = await readyProcesses(opened)
        return ready.length > 1
      })
      const name = ready[Math.floor(Math.random() * ready.length)] ?? ''
      process.kill(pidsOf(opened).get(name) ?? 0, 'SIGKILL')
      await sleep(pauseMs)
    }
    await until('all processes', async () => (await readyProcesses(opened)).length === processes)
    return { processes, kills, ...opened.versions }
  }
  return underLoad(opened, token, 1, kill, (failure) => failure.startsWith('edit 50'))
}

/** Nothing may fail. */
async function measureRestarts(): Promise<Findings> {
  const opened = await open()
  const restart = async () => {
    for (let n = 0; n < restarts; n++) {
      const former = [...pidsOf(opened).values()]
      process.kill(supervisorOf(opened), 'SIGHUP')
      await until('other processes', async () => {
        const current = [...pidsOf(opened).values()]
        const ready = await readyProcesses(opened)
        return ready.length === processes && !former.some((pid) => current.includes(pid))
      })
    }
    return { processes, restarts }
  }
  return underLoad(opened, token, 100_000, restart, () => false)
}

try {
  await runParts('processes', { rolling_restarts: measureRestarts, kills: measureKills })
} finally {
  await stage?.clear()
}
