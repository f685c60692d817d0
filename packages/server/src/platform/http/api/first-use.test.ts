import Fastify from 'fastify'
import { expect, it, vi } from 'vitest'
import { createFirstUse } from './first-use.ts'

it('shapes are compiled once, on first use or in pauses after the start', async () => {
  const app = Fastify()
  const shapes = createFirstUse()
  const compiled: number[] = []
  const gets = [0, 1, 2].map((n) => shapes.onFirstUse(() => ({ nth: compiled.push(n) })))
  shapes.compileInPauses(app)
  await app.ready()
  expect(compiled).toEqual([])
  expect(gets[2]?.()).toEqual({ nth: 1 })
  await app.listen()
  await vi.waitUntil(() => compiled.length === 3)
  expect(gets.map((get) => get().nth)).toEqual([2, 3, 1])
  await app.close()
})
