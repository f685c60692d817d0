// Edits of ids under kill −9 of the service and of PostgreSQL: npm run stress:records [-- KILLS=12]
import { setTimeout as sleep } from 'node:timers/promises'
import { type Findings, grantIds, logIn, onStage, type Stage } from './account-stage.ts'
import { runParts, sizeOf } from './parts.ts'

const kills = sizeOf('KILLS', 120)
const ids = ['🦀🌊', '🦀🔥', '🦀🐍', '🦀👑']

/** The last acknowledged number by id. The next may exist unacknowledged. */
const writtenVersions = new Map(ids.map((id) => [id, 0]))
let acknowledgedCount = 0

const measureEdits = (): Promise<Findings> =>
  onStage(async (stage) => {
    const broken: string[] = []
    let token = await logIn(stage)
    await grantIds(stage, token, ids)
    let slowest = 0
    for (let n = 0; n < kills; n++) {
      let isCut = false
      const writers = ids.map((id) => write(stage, token, id, () => isCut))
      await sleep(50 + Math.random() * 300)
      const killedAt = Date.now()
      if (n % 6 === 5) await stage.killPostgres()
      else {
        await stage.kill({ withPostgres: false })
        await stage.restart()
      }
      isCut = true
      await Promise.all(writers)
      token = await logIn(stage)
      slowest = Math.max(slowest, Date.now() - killedAt)
      for (const id of ids) broken.push(...(await check(stage, id)))
    }
    if (acknowledgedCount === 0) broken.push('No edit was acknowledged')
    const figures = {
      kills,
      of_postgres: Math.floor(kills / 6),
      acknowledged_edits: acknowledgedCount,
      logged_in_again_after_ms: slowest,
      broken: broken.length,
    }
    return { figures, broken }
  })

/** One edit after the other. Each replaces the last number by the next. */
async function write(stage: Stage, token: string, id: string, isCut: () => boolean) {
  while (!isCut()) {
    const next = (writtenVersions.get(id) ?? 0) + 1
    const body = { insert: [{ tag: '0x0005', data: `state ${next}` }] }
    const path = `/api/emoji_id/${encodeURIComponent(id)}`
    const answer = await stage.call('PATCH', path, { token, body, dropAfterMs: 10_000 })
    if (answer?.status === 200) acknowledgedCount++
    else if (answer?.status !== 422) return
    writtenVersions.set(id, next)
  }
}

type Proof = { records: { data: string }[]; signature: object | null }

/** The acknowledged edit or the pending one, with a signature over exactly that. */
async function check(stage: Stage, id: string): Promise<string[]> {
  const last = writtenVersions.get(id) ?? 0
  const path = `/api/emoji_id/${encodeURIComponent(id)}/proof`
  const answer = await stage.patiently(() => stage.call('GET', path))
  if (answer?.status !== 200) return [`The proof of ${id} answered ${answer?.status}`]
  const { records, signature } = JSON.parse(answer.text) as Proof
  const shownNumber = Number(/\d+/.exec(records[0]?.data ?? '')?.[0] ?? 0)
  writtenVersions.set(id, shownNumber)
  if (shownNumber < last || shownNumber > last + 1 || records.length > 1) {
    return [`${id} shows ${JSON.stringify(records)} after ${last} was acknowledged`]
  }
  return records.length > 0 && !signature ? [`${id} is not signed`] : []
}

await runParts('records', { edits: measureEdits })
