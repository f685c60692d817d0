// Edits, lookups, event readers and webhooks against both processes, and the check of their histories.
import { setTimeout as sleep } from 'node:timers/promises'
import { callAt } from './account-stage.ts'
import type { ClusterStage } from './cluster-stage.ts'
import type { Person } from './commerce-stage.ts'
import { createPoller, createStreamReader, type Receiver } from './events-readers.ts'
import { createWebhookReceiver } from './events-webhooks.ts'

/** Acknowledged edits replaced longer ago than this are not shown, with or without a primary. */
const oldestMs = 2_000
const writerPauseMs = 900
const readerPauseMs = 100
const dropAfterMs = 8_000
const arrivesMs = 30_000

type Edit = { id: string; value: number; at: number }
type Process = { url: string; lastAt: number; gapMs: number }
export type Phase = Awaited<ReturnType<Load['end']>>
export type Load = Awaited<ReturnType<typeof startClusterLoad>>

const newCounts = () => ({ lookups: 0, unavailable: 0, unanswered: 0, edits: 0, unknown_edits: 0 })

/** One writer per id with increasing values. An edit without an answer keeps an unknown outcome. */
export async function startClusterLoad(stage: ClusterStage, owner: Person) {
  const ids = Array.from({ length: 6 }, stage.newId)
  await buy(stage, owner, ids)
  const webhook = createWebhookReceiver('healthy', 0)
  // An endpoint gets the events of its own account only.
  const call: ClusterStage['call'] = (method, path, { body } = {}) =>
    owner.insist(method, path.replace('/api', ''), body)
  await webhook.start({ ...stage, call }, async () => {})

  const edits: Edit[] = []
  const lastEdits = new Map<string, Edit[]>(ids.map((id) => [id, []]))
  const seen = new Map<string, Set<number>>()
  const processes: Process[] = stage.urls.map((url) => ({ url, lastAt: Date.now(), gapMs: 0 }))
  const writes = { lastAt: Date.now(), gapMs: 0 }
  let counts = newCounts()
  let wrong: string[] = []
  let oldAnswers = 0
  let backwards = 0
  let isOver = false
  const wait = (ms: number) => sleep(ms * (0.5 + Math.random()))

  const note = (moment: { lastAt: number; gapMs: number }) => {
    moment.gapMs = Math.max(moment.gapMs, Date.now() - moment.lastAt)
    moment.lastAt = Date.now()
  }
  const write = async (id: string) => {
    for (let value = 1; !isOver; value++) {
      const body = { insert: [{ tag: '0x0005', data: `state ${value}` }] }
      const path = `/emoji_id/${encodeURIComponent(id)}`
      const answer = await owner.send('PATCH', path, body, { dropAfterMs }).catch(() => undefined)
      if (answer?.status === 200) {
        const edit = { id, value, at: Date.now() }
        edits.push(edit)
        lastEdits.get(id)?.push(edit)
        note(writes)
        counts.edits++
        await wait(writerPauseMs)
      } else {
        counts.unknown_edits++
        if (answer && answer.status !== 503) wrong.push(`an edit was answered ${answer.text}`)
        await wait(200)
      }
    }
  }
  const look = async (process: Process, id: string) => {
    let last = 0
    while (!isOver) {
      const askedAt = Date.now()
      const path = `/api/emoji_id/${encodeURIComponent(id)}`
      const answer = await callAt(process.url, 'GET', path, { dropAfterMs })
      if (answer?.status === 200) {
        counts.lookups++
        note(process)
        const value = Number(/state (\d+)/.exec(answer.text)?.[1] ?? 0)
        const missed = lastEdits.get(id)?.find((edit) => edit.value > value && edit.at < askedAt)
        const ageMs = missed ? askedAt - missed.at : 0
        if (ageMs > oldestMs && oldAnswers++ < 3) wrong.push(`a lookup was ${ageMs} ms old`)
        if (value < last && backwards++ < 3) wrong.push(`${id} went back from ${last} to ${value}`)
        last = Math.max(last, value)
        const values = seen.get(id) ?? new Set()
        seen.set(id, values.add(value))
      } else if (answer?.status === 503) counts.unavailable++
      else if (answer) wrong.push(`a lookup was answered ${answer.status} ${answer.text}`)
      else counts.unanswered++
      await wait(readerPauseMs)
    }
  }
  const loops = [...ids.map(write), ...processes.flatMap((one) => ids.map((id) => look(one, id)))]

  /** The values and versions that the database has now. */
  const readHistory = async () => {
    const rows = await stage.query<{ emoji_id: string; version: string; text: string }>(
      `select emoji_id, version, records::text as text from record_history
       where emoji_id = any ($1)`,
      [ids],
    )
    const values = new Set(
      rows.map(({ emoji_id, text }) => `${emoji_id} ${/state (\d+)/.exec(text)?.[1] ?? 0}`),
    )
    return { values, versions: rows.map(({ version }) => Number(version)) }
  }
  let receivers: Receiver[] = []
  let versionsBefore = new Set<number>()

  return {
    /** Begins a phase: forgets what was counted, and reads events from now on. */
    async begin() {
      receivers = [createPoller(), createStreamReader()]
      for (const receiver of receivers) await receiver.start(stage, async () => {})
      versionsBefore = new Set((await readHistory()).versions)
      edits.length = 0
      stage.wrong5xx.length = 0
      seen.clear()
      for (const moment of [...processes, writes])
        Object.assign(moment, { gapMs: 0, lastAt: Date.now() })
      counts = newCounts()
      wrong = []
      oldAnswers = 0
      backwards = 0
    },
    lastWriteAt: () => writes.lastAt,
    acknowledged: () => [...edits],
    readHistory,
    /** Checks the histories of the phase. The database must be available. */
    async end() {
      const acknowledged = [...edits]
      const shown = [...seen].flatMap(([id, values]) =>
        [...values].map((value) => `${id} ${value}`),
      )
      const { values, versions } = await readHistory()
      const lost = acknowledged.filter(({ id, value }) => !values.has(`${id} ${value}`))
      const phantoms = shown.filter((text) => !text.endsWith(' 0') && !values.has(text))
      const due = versions.filter((version) => !versionsBefore.has(version))
      const events: Record<string, object> = {}
      const all = [...receivers, webhook]
      const missingEvents = await Promise.all(all.map((receiver) => waitForEvents(receiver, due)))
      for (const [nth, receiver] of all.entries()) {
        const missing = missingEvents[nth] ?? 0
        const inPhase = receiver.received.filter(({ data }) => due.includes(Number(data.version)))
        const repeated = inPhase.length - new Set(inPhase.map(({ id }) => id)).size
        const cursor = receiver === webhook ? undefined : await stopReceiver(receiver)
        events[receiver.name] = { missing, repeated, ...(cursor && { cursor }) }
        if (cursor) wrong.push(`${receiver.name}: ${cursor}`)
        if (missing > 0) wrong.push(`${receiver.name}: ${missing} events are missing`)
        // A webhook whose success could not be recorded is sent again, with the same id.
        if (repeated > 0 && receiver !== webhook)
          wrong.push(`${receiver.name}: ${repeated} events came twice`)
      }
      if (lost.length > 0) wrong.push(`${lost.length} acknowledged edits were lost`)
      if (phantoms.length > 0) wrong.push(`${phantoms.length} shown values are in no history`)
      wrong.push(...stage.wrong5xx.slice(0, 3))
      return {
        figures: {
          writes_unavailable_ms: writes.gapMs,
          lookups_unavailable_ms: Math.max(...processes.map(({ gapMs }) => gapMs)),
          acknowledged_lost: lost.length,
          lookups_too_old: oldAnswers,
          lookups_gone_back: backwards,
          shown_and_lost: phantoms.length,
          other_5xx: stage.wrong5xx.length,
          ...counts,
          events,
        },
        wrong,
      }
    },
    async stop() {
      isOver = true
      await Promise.all(loops)
      await webhook.stop()
    },
  }
}

/** Bought for nothing, so that the money invariants hold for these ids too. */
async function buy(stage: ClusterStage, owner: Person, ids: readonly string[]): Promise<void> {
  const { redemption_code } = await stage.makeCode({ discount_as_percentage: 100 })
  await owner.add(...ids)
  await owner.checkout('CardCheckout')
  await owner.promo(redemption_code)
  const { status, body, code } = await owner.checkout('Free')
  if (status !== 200 || body.status !== 'Paid') throw new Error(`Could not buy ids: ${code}`)
}

async function waitForEvents(receiver: Receiver, versions: readonly number[]): Promise<number> {
  const giveUpAt = Date.now() + arrivesMs
  for (;;) {
    const arrived = new Set(receiver.received.map(({ data }) => Number(data.version)))
    const missing = versions.filter((version) => !arrived.has(version)).length
    if (missing === 0 || Date.now() > giveUpAt) return missing
    await sleep(200)
  }
}

/** Returns why the reader's cursor ended, if it did. */
const stopReceiver = (receiver: Receiver): Promise<string | undefined> =>
  receiver.stop().then(
    () => undefined,
    (error: Error) => error.message,
  )
