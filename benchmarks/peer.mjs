// The peer of uncached lookups: Fastify, a client of PostgreSQL, and the statement of our own lookup:
// node peer.mjs <pg | postgres> <port> <folder with node_modules> <host of PostgreSQL>
import { createRequire } from 'node:module'
import pg from 'pg'

const [, , client, port, folder, host] = process.argv
const text = `select e.emoji_id, coalesce(r.records::text, '[]') as records,
  (select coalesce(sum(c.count), 0)::int from lookup_counts c where c.emoji_id = e.emoji_id
   and c.day >= current_date - 28 and c.day < current_date) as views
  from emoji_ids e left join record_sets r using (emoji_id) where e.emoji_id = $1`
const finders = {
  pg() {
    const pool = new pg.Pool({ host, user: 'emojid', database: 'emojid', max: 10 })
    return async (id) => (await pool.query({ name: 'find', text, values: [id] })).rows[0]
  },
  postgres() {
    const postgres = createRequire(`${folder}/`)('postgres')
    const sql = postgres({ host, user: 'emojid', database: 'emojid', max: 10 })
    return async (id) => (await sql.unsafe(text, [id], { prepare: true }))[0]
  },
}
const find = finders[client]()
const Fastify = createRequire(new URL('../packages/server/package.json', import.meta.url))(
  'fastify',
)
const app = Fastify()
app.get('/api/emoji_id/:id', async ({ params: { id } }, reply) => {
  const { records, views } = await find(id)
  const metric = { metric: 'api_emoji_lookups', description: 'Lookups', key: id, value: views }
  reply.type('application/json; charset=utf-8')
  return `{"status":true,"result":${records},"error":null,"stats":[${JSON.stringify(metric)}]}`
})
await app.listen({ port: Number(port), host: '127.0.0.1' })
