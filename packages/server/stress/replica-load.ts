import { setTimeout as sleep } from 'node:timers/promises'
import { hosts, json, type Stage } from './replica-stage.ts'

export const ids = ['🦀🌊', '🦀🔥', '🦀🐍']
/** Never edited, so a replica can serve it at any time. */
export const uneditedIds = ['🐙🌊', '🐙🔥', '🐙🐍']

type Way = 'first' | 'second' | 'nginx'
type Edit = { number: number; at: number }

export const newTally = () => ({
  edits: 0,
  failed_edits: 0,
  lookups: 0,
  /** 503: no sufficiently fresh data is available. */
  unavailable: 0,
  failed: { first: 0, second: 0, nginx: 0 },
  by_source: {} as Record<string, number>,
  /** The maximal age of responses, by the writes acknowledged before the request. */
  oldest_ms: { first: 0, second: 0, nginx: 0 },
  /** The greatest age that a response reported. */
  told_behind_ms: 0,
  slowest_ms: 0,
  wrong: 0,
})

export type Load = Awaited<ReturnType<typeof startLoad>>

/** Edits at the first process, lookups at both and through nginx. Each response is checked. */
export async function startLoad(stage: Stage) {
  let token = await stage.logIn()
  await grantAll(stage, token)
  const edits = new Map<string, Edit[]>(ids.map((id) => [id, []]))
  let tally = newTally()
  let tolerated: Record<Way, number> = { first: 0, second: 0, nginx: 0 }
  let isOver = false
  const wrong: string[] = []

  const edit = async (id: string) => {
    for (let number = 1; !isOver; ) {
      const insert = [{ tag: '0x0005', data: `state ${number}` }]
      const request = json('PATCH', { insert }, token)
      const answer = await stage
        .direct(0, `/api${stage.pathOf(id)}`, { ...request, signal: AbortSignal.timeout(8_000) })
        .catch(() => undefined)
      await answer?.text().catch(() => '')
      // 422: no change, since the previous edit took effect without an acknowledgement.
      if (answer?.status === 200 || answer?.status === 422) {
        edits.get(id)?.push({ number: number++, at: Date.now() })
        tally.edits++
      } else {
        tally.failed_edits++
        if (answer?.status === 401) token = await stage.logIn().catch(() => token)
      }
      await sleep(50 + Math.random() * 400)
    }
  }
  const look = async (way: Way, id: string) => {
    while (!isOver) {
      const askedAt = Date.now()
      const signal = AbortSignal.timeout(8_000)
      const askAnswer =
        way === 'nginx'
          ? stage.through(hosts.api, stage.pathOf(id), { signal })
          : stage.direct(way === 'first' ? 0 : 1, `/api${stage.pathOf(id)}`, { signal })
      const answer = await askAnswer.catch(() => undefined)
      const body = (await answer?.json().catch(() => undefined)) as
        | { result?: { data: string }[] }
        | undefined
      tally.slowest_ms = Math.max(tally.slowest_ms, Date.now() - askedAt)
      if (answer?.status === 503) tally.unavailable++
      else if (answer?.status !== 200 || !body?.result) tally.failed[way]++
      else {
        tally.lookups++
        note(
          answer.headers.get('x-cache') === 'HIT'
            ? 'nginx'
            : (answer.headers.get('x-served-from') ?? 'unknown'),
        )
        judge(way, id, Number(/\d+/.exec(body.result[0]?.data ?? '')?.[0] ?? 0), askedAt)
      }
      await sleep(answer?.status === 200 ? 25 : 100)
    }
  }
  const note = (message: string) => {
    const [source = '', behind] = message.split('; behind=')
    tally.by_source[source] = (tally.by_source[source] ?? 0) + 1
    if (behind) tally.told_behind_ms = Math.max(tally.told_behind_ms, Number(behind) * 1_000)
  }
  const judge = (way: Way, id: string, seenValue: number, askedAt: number) => {
    const missedEdit = edits.get(id)?.find(({ number, at }) => number > seenValue && at < askedAt)
    if (!missedEdit) return
    const age = askedAt - missedEdit.at
    tally.oldest_ms[way] = Math.max(tally.oldest_ms[way], age)
    if (age <= tolerated[way]) return
    tally.wrong++
    wrong.push(`${way} showed ${seenValue} of ${id}, replaced ${age} ms before`)
  }
  const loops = [
    ...ids.map(edit),
    ...[...ids, ...uneditedIds].flatMap((id) =>
      (['first', 'second', 'nginx'] as const).map((way) => look(way, id)),
    ),
  ]
  return {
    wrong,
    /** Sets the allowed age from now on, and resets the counts. */
    begin(promised: Record<Way, number>) {
      tolerated = promised
      tally = newTally()
    },
    tally: () => structuredClone(tally),
    async stop() {
      isOver = true
      await Promise.all(loops)
    },
  }
}

export async function grantAll(stage: Stage, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const account = (await (await stage.direct(0, '/api/account', { headers })).json()) as {
    user: { id: string }
  }
  for (const emoji_id of [...ids, ...uneditedIds]) {
    const answer = await stage.direct(
      0,
      '/api/admin/emoji_ids',
      json('POST', { emoji_id, user_id: account.user.id }, token),
    )
    const text = await answer.text()
    if (answer.status !== 200 && answer.status !== 409) throw new Error(text)
  }
}
