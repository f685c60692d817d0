import { describe, expect, it } from 'vitest'
import { readEither } from './read-either.ts'

type Row = { key: string; data: string }

function stage() {
  const queries: string[] = []
  const needs = new Map<string, number>()
  const state = {
    inUse: true,
    current: true,
    away: false,
    shown: 1,
    seen: 1,
    primaryAway: false,
    meanwhile: () => {},
  }
  const rowsOf = (keys: unknown, from: string) =>
    (keys as string[]).map((key) => ({ key, data: from }))
  const read = readEither<Row>({
    floors: {
      forget: () => {},
      clear: () => {},
      reached: () => {},
      allows: (key, beat) => beat >= (needs.get(key) ?? 0),
    },
    keyOf: ({ key }) => key,
    count: () => {},
    monitor: { isCurrent: () => state.current, isAway: () => state.away },
    async primary([keys]) {
      queries.push('primary')
      if (state.primaryAway) throw new Error('away')
      return rowsOf(keys, 'primary')
    },
    replica: {
      isInUse: () => state.inUse,
      shown: () => state.shown,
      async read([keys]) {
        queries.push('replica')
        state.meanwhile()
        return { rows: rowsOf(keys, 'replica'), beat: state.seen, sentAt: 7 }
      },
    },
  })
  const from = async (...keys: string[]) =>
    Object.fromEntries((await read(keys, [])).rows.map(({ key, data }) => [key, data]))
  return { state, needs, queries, read, from }
}

describe('a read', () => {
  it('comes from the replica, with the time of its state', async () => {
    const { read } = stage()
    expect(await read(['a'], [])).toEqual({ rows: [{ key: 'a', data: 'replica', read_at: 7 }] })
  })

  it('comes from the primary if the replica has not seen the last change', async () => {
    const { needs, from } = stage()
    needs.set('a', 2)
    expect(await from('a', 'b')).toEqual({ a: 'primary', b: 'replica' })
  })

  it('comes from the primary if a change arrives while the replica is queried', async () => {
    const { needs, state, from } = stage()
    state.meanwhile = () => void needs.set('a', 2)
    expect(await from('a', 'b')).toEqual({ a: 'primary', b: 'replica' })
  })

  it('comes from the primary if the responding server lags behind the monitored one', async () => {
    const { needs, state, from } = stage()
    needs.set('a', 5)
    state.shown = 5
    expect(await from('a')).toEqual({ a: 'primary' })
  })

  it('comes from the primary while notifications may be lost, and while the replica is not in use', async () => {
    const { state, from, queries } = stage()
    state.current = false
    await from('a')
    state.current = true
    state.inUse = false
    await from('a')
    expect(queries).toEqual(['primary', 'primary'])
  })
})

describe('while the primary is unavailable', () => {
  it('the replica answers for current keys, and not for others', async () => {
    const { needs, state, read } = stage()
    Object.assign(state, { primaryAway: true, current: false, away: true })
    needs.set('a', 2)
    const { rows, unanswered } = await read(['a', 'b'], [])
    expect([rows.map(({ key }) => key), unanswered?.keys]).toEqual([['b'], ['a']])
  })

  it('the replica is queried after the primary failed, without a separate check', async () => {
    const { state, from, queries } = stage()
    Object.assign(state, { primaryAway: true, current: false })
    expect(await from('a')).toEqual({ a: 'replica' })
    expect(queries).toEqual(['primary', 'replica'])
  })

  it('the read fails if the replica cannot answer', async () => {
    const { needs, state, read } = stage()
    Object.assign(state, { primaryAway: true, current: false, away: true })
    needs.set('a', 2)
    await expect(read(['a'], [])).rejects.toThrow('away')
  })
})
