import type { Server } from 'node:http'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Container } from '../../src/container.ts'
import { transact } from '../../src/platform/database/database.ts'
import { ServiceError } from '../../src/platform/errors.ts'
import type { Database } from '../../src/tables.ts'

/** Routes that test the HTTP shell independently of features. */
export const withProbes = (container: Container): Container => ({
  ...container,
  apiRoutes: [...container.apiRoutes, probes(container.db)],
})

/** The same routes, with access to the HTTP server of the service. */
export const withProbesAt =
  (see: (server: Server) => void) =>
  (container: Container): Container => {
    const probed = withProbes(container)
    const seeServer = async (app: FastifyInstance) => see(app.server)
    return { ...probed, apiRoutes: [...probed.apiRoutes, seeServer] }
  }

/** Requests in progress until the test releases them. */
const releases: (() => void)[] = []
const hold = () => new Promise<void>((resolve) => releases.push(resolve))
export const countHeld = (): number => releases.length
/** The oldest are released first. */
export const releaseHeld = (count = countHeld()): void => {
  for (const release of releases.splice(0, count)) release()
}

const Order = Type.Object({
  amount: Type.Optional(Type.Integer()),
  note: Type.Optional(Type.String()),
  is_held: Type.Optional(Type.Boolean()),
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
    const never = new Promise<object>(() => {})
    for (const method of ['GET', 'POST'])
      app.route({
        method,
        url: '/probe/hang',
        config: { access, time_limit_ms: 5 },
        handler: () => never,
      })
    app.get('/probe/limits', { config: { access } }, async () => ({
      headers_ms: app.server.headersTimeout,
      request_ms: app.server.requestTimeout,
    }))
    app.get('/probe/held', { config: { access } }, async () => {
      await hold()
      return {}
    })
    app.get('/probe/broken', { config: { access } }, async () => {
      throw new Error('secret detail at /srv/secret/path')
    })
    app.get('/probe/rows', { config: { access } }, async () => {
      const { rows } = await sql`select count(*) as effects from probe_effects`.execute(db)
      return rows[0]
    })
    app.get('/probe/limited', { config: { access, per_minute: 3 } }, async () => ({}))
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
            if (body.is_held) await hold()
            if (body.fail) throw new ServiceError('refused', body.fail, 'Refused.')
            return { id: rows[0]?.id }
          }),
      )
    }
  }
