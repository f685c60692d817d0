import Fastify from 'fastify'
import { Type } from 'typebox'
import { expect, it } from 'vitest'
import { rateLimited } from '../limits.ts'
import { exportLists } from './list-exports.ts'

it('an export that has begun waits for the rate limit, and loses no row', async () => {
  const app = Fastify()
  let refusals = 1
  exportLists(app, {
    countPage() {
      if (refusals-- > 0) throw rateLimited(0.01)
    },
    record: async () => {},
  })
  app.get('/rows', {
    config: { access: 'public', csv: ['n'] },
    schema: {
      querystring: Type.Object({ page: Type.Integer(), limit: Type.Optional(Type.Integer()) }),
    },
    handler: async ({ query }) => {
      const { page, limit } = query as { page: number; limit: number }
      const data = Array.from({ length: 500 }, (_, n) => ({ n }))
      return { data: data.slice(page * limit, (page + 1) * limit), paging: { total: 500 } }
    },
  })
  const { body } = await app.inject('/rows/export?page=0')
  await app.close()
  expect(body.trim().split('\r\n').slice(1).map(Number)).toEqual(
    Array.from({ length: 500 }, (_, n) => n),
  )
  expect(refusals).toBeLessThan(0)
})
