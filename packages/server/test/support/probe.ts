import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Container } from '../../src/container.ts'
import { transact } from '../../src/platform/database/database.ts'
import { ServiceError } from '../../src/platform/errors.ts'
import type { Database } from '../../src/tables.ts'

/** Routes that show what the HTTP shell does, whatever features exist. */
export const withProbes = (container: Container): Container => ({
  ...container,
  apiRoutes: [...container.apiRoutes, probes(container.db)],
})

const Order = Type.Object({
  amount: Type.Optional(Type.Integer()),
  note: Type.Optional(Type.String()),
  delay_ms: Type.Optional(Type.Integer()),
  fail: Type.Optional(Type.String()),
})

const probes =
  (db: Database): FastifyPluginAsyncTypebox =>
  async (app) => {
    const access = 'public'
    await sql`create table if not exists probe_effects (id serial primary key, amount int)`.execute(
      db,
    )

    app.post('/probe/empty', { config: { access } }, async () => ({}))
    app.delete('/probe/empty', { config: { access } }, async () => ({}))
    app.post('/probe/echo', { config: { access } }, async ({ body }) => ({
      body: body ?? 'nothing',
    }))
    app.post(
      '/probe/typed',
      { config: { access }, schema: { body: Order } },
      async ({ body }) => body,
    )
    app.get('/probe/private', { config: { access: 'user:show' } }, async () => ({}))
    app.get('/probe/hang', { config: { access } }, () => sleep(20_000))
    app.get('/probe/slow', { config: { access } }, () => sleep(300, {}))
    app.get('/probe/broken', { config: { access } }, async () => {
      throw new Error('secret detail at /srv/secret/path')
    })
    app.get('/probe/rows', { config: { access } }, async () => {
      const { rows } = await sql`select count(*) as effects from probe_effects`.execute(db)
      return rows[0]
    })
    app.get(
      '/probe/limited',
      { config: { access, rateLimit: { max: 3, timeWindow: '1 minute' } } },
      async () => ({}),
    )
    for (const idempotent of [true, 'secret'] as const) {
      app.post(
        idempotent === true ? '/probe/orders' : '/probe/secrets',
        { config: { access, idempotent }, schema: { body: Order } },
        ({ body }) =>
          transact(db, async (trx) => {
            const { rows } = await sql<{ id: number }>`
              insert into probe_effects (amount) values (${body.amount ?? 0}) returning id`.execute(
              trx,
            )
            await sleep(body.delay_ms ?? 0)
            if (body.fail) throw new ServiceError('refused', body.fail, 'Refused.')
            return { id: rows[0]?.id }
          }),
      )
    }
  }
