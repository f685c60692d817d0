import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { createFirstUse } from './first-use.ts'
import { serializeInParts, serializeOnFirstUse } from './serialization.ts'

const Row = {
  type: 'object',
  properties: { name: { type: 'string' }, rows: { type: 'array', items: { type: 'number' } } },
}
const Page = {
  type: 'object',
  properties: {
    first: { type: 'array', items: { type: 'number' } },
    data: { type: 'array', items: Row },
    paging: { type: 'object', properties: { total: { type: 'integer' } } },
  },
}

const rows = Array.from({ length: 500 }, (_, n) => ({
  name: n % 2 === 0 ? `"data":[] ${n}` : 'x'.repeat(n),
  rows: [n],
  secret: 'Not in the schema.',
}))

async function serve(answer: unknown, schema: object) {
  const app = Fastify()
  await serializeOnFirstUse(app, createFirstUse())
  const before = { schema: { response: { 200: schema } }, handler: async () => answer }
  app.get('/whole', before)
  await app.register(async (parts) => {
    serializeInParts(parts)
    parts.get('/parts', before)
  })
  const [whole, inParts] = [await app.inject('/whole'), await app.inject('/parts')]
  await app.close()
  return { whole, inParts }
}

it.each([
  ['a page', { first: [], data: rows, paging: { total: 500 } }, Page],
  ['a page of one row', { first: [], data: rows.slice(0, 1), paging: { total: 1 } }, Page],
  ['an empty page', { first: [], data: [], paging: { total: 0 } }, Page],
  ['a page with a short list before', { first: [1, 2], data: rows, paging: { total: 500 } }, Page],
  ['a page with two long lists', { first: rows.map((_, n) => n), data: rows }, Page],
  ['a text that is sent in parts', { data: Array(8).fill(rows).flat(), paging: {} }, Page],
  ['a list', rows, { type: 'array', items: Row }],
  ['an empty list', [], { type: 'array', items: Row }],
  ['a list that the schema does not name', { hidden: rows, paging: { total: 1 } }, Page],
])('%s has the same text and type in parts', async (_name, answer, schema) => {
  const { whole, inParts } = await serve(answer, schema)
  expect(whole.statusCode).toBe(200)
  expect(inParts.body).toBe(whole.body)
  for (const name of ['content-type', 'content-length'])
    expect(inParts.headers[name]).toBe(whole.headers[name])
})

it('a page of more than 8 MB is refused with the number of rows that fit', async () => {
  const long = Array.from({ length: 5 }, () => ({ name: 'x'.repeat(2_500_000) }))
  const paging = { total: 5 }
  const { inParts } = await serve({ data: long, paging }, Page)
  expect(inParts.json()).toMatchObject({
    message: expect.stringMatching(/Ask for [1-3] rows at once/),
  })
  const { inParts: fitting } = await serve({ data: long.slice(0, 3), paging }, Page)
  expect(fitting.json().data).toHaveLength(3)
  const { inParts: withoutPages } = await serve({ data: long }, Page)
  expect(withoutPages.json().data).toHaveLength(5)
})
