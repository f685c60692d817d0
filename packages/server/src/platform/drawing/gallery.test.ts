import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createGallery } from './gallery.ts'

const limits = { cachedAtMost: 2, waitingAtMost: { each: 1, all: 10 }, patienceMs: 60_000 }
const home = '192.0.2'

it('the gallery draws one picture at a time, and shares it among concurrent requests', async () => {
  const picture = createGallery<string>({ ...limits, waitingAtMost: { each: 9, all: 9 } })
  let [atOnce, most, count] = [0, 0, 0]
  const make = async () => {
    most = Math.max(most, ++atOnce)
    await nextTurn()
    atOnce--
    return `picture ${++count}`
  }
  const names = ['a', 'b', 'a', 'a', 'b']
  const got = await Promise.all(names.map((name) => picture(name, home, make)))
  expect(got).toEqual(['picture 1', 'picture 2', 'picture 1', 'picture 1', 'picture 2'])
  expect([most, count]).toEqual([1, 2])
  expect(await picture('a', home, make)).toBe('picture 1')
  expect(count).toBe(2)
})

it('the gallery returns undefined while too many requests wait', async () => {
  const picture = createGallery<string>(limits)
  const make = async () => 'made'
  const got = await Promise.all(['a', 'b', 'c', 'a'].map((name) => picture(name, home, make)))
  expect(got).toEqual(['made', 'made', undefined, 'made'])
  expect(await picture('c', home, make)).toBe('made')
})

it('the gallery lets networks take turns, and draws a picture for all of them once', async () => {
  const picture = createGallery<string>({ ...limits, waitingAtMost: { each: 9, all: 9 } })
  const drawnNames: string[] = []
  const want = (name: string, network: string) =>
    picture(name, network, async () => {
      drawnNames.push(name)
      return name
    })
  const flood = ['a', 'b', 'c', 'e'].map((name) => want(name, home))
  await Promise.all([...flood, want('c', '198.51.100'), want('d', '203.0.113')])
  expect(drawnNames).toEqual(['a', 'b', 'c', 'd', 'e'])
})

it('the gallery caches few pictures, and draws the others again', async () => {
  const picture = createGallery<string>(limits)
  let count = 0
  const make = async () => `picture ${++count}`
  for (const name of ['a', 'b', 'c', 'd', 'a']) await picture(name, home, make)
  expect(count).toBe(5)
})

it('the gallery limits the wait, and has the picture for the next request', async () => {
  const picture = createGallery<string>({ ...limits, patienceMs: 10 })
  let finish = (_picture: string) => {}
  const slow = new Promise<string>((resolve) => {
    finish = resolve
  })
  expect(await picture('a', home, () => slow)).toBeUndefined()
  finish('made')
  await slow
  expect(await picture('a', home, () => Promise.reject(new Error('made again')))).toBe('made')
})

it('the gallery passes a drawing error on, and retries for the next request', async () => {
  const picture = createGallery<string>(limits)
  const fail = () => Promise.reject(new Error('no paint'))
  await expect(picture('a', home, fail)).rejects.toThrow('no paint')
  expect(await picture('a', home, async () => 'made')).toBe('made')
})
