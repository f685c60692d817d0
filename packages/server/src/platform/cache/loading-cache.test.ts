import { describe, expect, it } from 'vitest'
import { createLoadingCache, LoadFailure } from './loading-cache.ts'

/** A source whose rows can change and whose responses can be delayed. */
function source({ capacity = 100 } = {}) {
  const rows = new Map<string, string>()
  const loads: string[][] = []
  let current = true
  let gate = Promise.resolve()
  const cache = createLoadingCache<string>({
    capacity,
    isCurrent: () => current,
    missing: (key) => `no ${key}`,
    async load(keys) {
      loads.push(keys)
      const read = new Map(
        keys.flatMap((key) => (rows.has(key) ? [[key, rows.get(key) ?? '']] : [])),
      )
      await gate
      return read as Map<string, string>
    },
  })
  return {
    rows,
    loads,
    cache,
    setCurrent: (value: boolean) => {
      current = value
    },
    /** Resolves after so many loads have read their rows. */
    begun: (count: number) => expect.poll(() => loads.length).toBe(count),
    holdBack() {
      let open = () => {}
      gate = new Promise<void>((resolve) => {
        open = resolve
      })
      return open
    },
  }
}

describe('misses', () => {
  it('misses are batched into one load with distinct keys', async () => {
    const { rows, loads, cache } = source()
    rows.set('a', '1').set('b', '2')

    expect(await Promise.all(['a', 'b', 'a', 'c'].map(cache.get))).toEqual(['1', '2', '1', 'no c'])
    expect(loads).toEqual([['a', 'b', 'c']])
  })

  it('misses are cached, absent keys too', async () => {
    const { rows, loads, cache } = source()
    rows.set('a', '1')
    await cache.getMany(['a', 'b'])
    await cache.getMany(['a', 'b'])

    expect(loads).toHaveLength(1)
    expect([cache.peek('a'), cache.peek('b')]).toEqual(['1', 'no b'])
  })

  it('fail together and are retried by the next read', async () => {
    let isBroken = true
    const cache = createLoadingCache<string>({
      capacity: 10,
      isCurrent: () => true,
      missing: () => 'none',
      load: async (keys) => {
        if (isBroken) throw new Error('away')
        return new Map(keys.map((key) => [key, 'ok']))
      },
    })
    const failed = await Promise.allSettled([cache.get('a'), cache.get('a')])
    isBroken = false

    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await cache.get('a')).toBe('ok')
  })
})

describe('a key that could not be loaded', () => {
  it('a key that could not be loaded does not affect other keys of the load, and is retried by the next read', async () => {
    let isAway = true
    const cache = createLoadingCache<string>({
      capacity: 10,
      isCurrent: () => true,
      missing: () => 'none',
      load: async (keys) =>
        new Map(
          keys.map((key) => [
            key,
            key === 'a' && isAway ? new LoadFailure(new Error('away')) : 'ok',
          ]),
        ),
    })
    const [one, other] = await Promise.allSettled([cache.get('a'), cache.get('b')])
    isAway = false

    expect([one?.status, other?.status]).toEqual(['rejected', 'fulfilled'])
    expect([cache.peek('a'), cache.peek('b')]).toEqual([undefined, 'ok'])
    expect(await cache.get('a')).toBe('ok')
  })
})

describe('a change', () => {
  it('a change is visible to the next read', async () => {
    const { rows, cache } = source()
    rows.set('a', 'old')
    await cache.get('a')
    rows.set('a', 'new')
    cache.forget('a')

    expect(await cache.get('a')).toBe('new')
  })

  it.each(['forget', 'clear'] as const)(
    'during a load: that load is neither cached nor joined afterwards (%s)',
    async (how) => {
      const { rows, cache, holdBack, begun } = source()
      rows.set('a', 'old')
      const open = holdBack()
      const earlyLoad = cache.get('a')
      await begun(1)
      rows.set('a', 'new')
      cache[how]('a')
      const late = cache.get('a')
      await begun(2)
      open()

      expect(await earlyLoad).toBe('old')
      expect(await late).toBe('new')
      expect(cache.peek('a')).toBe('new')
    },
  )
})

describe('a change before a load has begun', () => {
  it('a change before a load has begun is visible to that load, which is cached', async () => {
    const { rows, loads, cache } = source()
    rows.set('a', 'old')
    const load = cache.get('a')
    rows.set('a', 'new')
    cache.forget('a')

    expect([await load, await cache.get('a')]).toEqual(['new', 'new'])
    expect(loads).toEqual([['a']])
  })
})

describe('a cached value', () => {
  it('a cached value is not taken from a load that started before the cache lost its currency', async () => {
    const { rows, cache, setCurrent, holdBack, begun } = source()
    rows.set('a', 'old')
    const open = holdBack()
    const earlyLoad = cache.get('a')
    await begun(1)
    setCurrent(false)
    rows.set('a', 'new')
    const late = cache.get('a')
    await begun(2)
    open()

    expect([await earlyLoad, await late]).toEqual(['old', 'new'])
  })

  it('a cached value is not used while the cache is not current', async () => {
    const { rows, cache, setCurrent } = source()
    rows.set('a', 'old')
    await cache.get('a')
    setCurrent(false)
    rows.set('a', 'new')

    expect(cache.peek('a')).toBeUndefined()
    expect(await cache.get('a')).toBe('new')
  })

  it('a cached value stays within its capacity', async () => {
    const { rows, cache } = source({ capacity: 2 })
    rows.set('a', '1').set('b', '2').set('c', '3')
    await cache.getMany(['a', 'b', 'c'])

    expect(['a', 'b', 'c'].map(cache.peek)).toEqual([undefined, '2', '3'])
  })

  it('a cached value is evicted if unused, and never for an absent key', async () => {
    const { rows, cache } = source({ capacity: 10 })
    const keys = Array.from({ length: 10 }, (_, n) => `row ${n}`)
    for (const key of keys) rows.set(key, key)
    await cache.getMany(keys)
    cache.peek('row 0')
    await cache.getMany(Array.from({ length: 100 }, (_, n) => `nothing ${n}`))
    rows.set('new', 'new')
    await cache.get('new')

    expect([cache.peek('row 0'), cache.peek('row 1'), cache.peek('row 2')]).toEqual([
      'row 0',
      undefined,
      'row 2',
    ])
  })

  it('a cached value does not exist at capacity 0', async () => {
    const { loads, cache } = source({ capacity: 0 })
    await cache.get('a')
    await cache.get('a')

    expect(loads).toHaveLength(2)
  })
})
