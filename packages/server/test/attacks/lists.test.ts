import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import {
  describedOperations,
  exampleOf,
  type Operation,
  type Parameter,
  type Schema,
} from '../support/from-schema.ts'
import { newId } from '../support/ids.ts'
import { bearer, newEmail, type Person, registerAs } from '../support/people.ts'
import { type Answer, type TestService, testService } from '../support/service.ts'

let service: TestService
let admin: Person
let clerk: Person
let total: number
beforeAll(async () => {
  service = await testService()
  admin = await registerAs(service, 'Admin')
  clerk = await registerAs(service, 'Super')
  // An audit entry of which the operator is the actor and the subject.
  await admin.post('/api/api_keys', { name: 'Lists' })
  const at = new Date()
  const newUserRow = () => ({ email: newEmail(), created_at: at, updated_at: at })
  const unset = {
    email_verified_at: null,
    claimed_at: null,
    alternate_id: null,
    source: null,
    first_name: null,
    last_name: null,
    password_hash: null,
    activation_source: null,
    partner_transaction_id: null,
    two_factor_last_prompted_at: null,
    deactivated_at: null,
    deleted_at: null,
  }
  // All made at one moment: only a second sort key separates the pages.
  const many = Array.from({ length: 230 }, () => ({ ...unset, ...newUserRow() }))
  await service.db.insertInto('users').values(many).execute()
  total = (await service.db.selectFrom('users').select('id').execute()).length
})
afterAll(() => service.close())

type Page = { data: { id: string; email: string }[]; paging: Record<string, unknown> }
const list = async (query: string, path = '/api/users') => {
  const answer = await admin.get(`${path}?${query}`)
  expect(answer.status).toBe(200)
  return answer.json<Page>()
}

describe('GET /users', () => {
  it('returns 50 per page by default, and counts pages from 0', async () => {
    const { data, paging } = await list('')
    const expected = { page: 0, limit: 50, total, sort: 'created_at', dir: 'Desc' }
    expect(data).toHaveLength(50)
    expect(paging).toMatchObject(expected)
    expect(await list('page=0&limit=50')).toEqual({ data, paging })
  })

  it('returns every user once over its pages, and an empty page after the last', async () => {
    const pages = await Promise.all([0, 1, 2, 3, 4].map((page) => list(`limit=60&page=${page}`)))
    const ids = pages.flatMap(({ data }) => data.map(({ id }) => id))
    expect(pages.map(({ data }) => data.length)).toEqual([60, 60, 60, total - 180, 0])
    expect(new Set(ids).size).toBe(total)
  })

  it('returns at most 200 per page', async () => {
    for (const limit of [201, 1_000, 1e9]) {
      const { data, paging } = await list(`limit=${limit}`)
      expect([limit, data.length, paging['limit']]).toEqual([limit, 200, 200])
    }
  })

  it('continues after a capped page', async () => {
    const pages = [await list('limit=500'), await list('limit=500&page=1')]
    expect(new Set(pages.flatMap(({ data }) => data.map(({ id }) => id))).size).toBe(total)
  })

  it('sorts as requested', async () => {
    const emails = async (dir: string) =>
      (await list(`sort=email&dir=${dir}&limit=200`)).data.map(({ email }) => email)
    const [up, down] = [await emails('Asc'), await emails('Desc')]
    expect(up).toEqual([...up].sort())
    expect(down).toEqual([...down].sort().reverse())
  })

  it('searches by a part of the address, by the id and by the role', async () => {
    const findIds = async (query: string) => (await list(query)).data.map(({ id }) => id)
    expect(await findIds(`q=${admin.email.slice(0, 12).toUpperCase()}`)).toEqual([admin.id])
    expect(await findIds(`q=${clerk.id}`)).toEqual([clerk.id])
    // Besides the first administrator of the demonstration.
    expect(await findIds(`role=Super&q=${clerk.id}`)).toEqual([clerk.id])
    expect(await findIds(`role=Super&q=${admin.id}`)).toEqual([])
    expect(await findIds(`role=Admin&q=${clerk.id}`)).toEqual([])
    expect((await list('q=%20')).paging['total']).toBe(total)
  })
})

const described = describedOperations()
const nameOf = ({ method, path }: Operation) => `${method} ${path}`
const byName = (operations: readonly Operation[]) =>
  operations.map((operation) => [nameOf(operation), operation] as const)
/** The path of an operation with one parameter replaced. */
const addressOf = (
  { path, parameters }: Operation,
  parameterValues: Record<string, string> = {},
) => {
  const value = ({ name, schema }: Parameter) =>
    parameterValues[name] ?? (/^(emoji_id|eid)$/.test(name) ? newId() : String(exampleOf(schema)))
  const pairs = parameters
    .filter(
      ({ in: place, required, name }) => place === 'query' && (required || name in parameterValues),
    )
    .map((one) => `${one.name}=${encodeURIComponent(value(one))}`)
  const filledPath = parameters
    .filter((one) => one.in === 'path')
    .reduce((sum, one) => sum.replace(`{${one.name}}`, encodeURIComponent(value(one))), path)
  return `/api${filledPath}?${pairs.join('&')}`
}

const lists = described.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'))

const badQuestions = [
  'limit=-1',
  'limit=0',
  'limit=NaN',
  'limit=1.5',
  'limit=',
  'limit=ten',
  'limit=1&limit=2',
  'page=-1',
  'page=1e18',
  'page=99999999999999999999',
  'page=0.5',
  'page=x',
  'sort=id;drop',
  'sort=password_hash',
  'sort=',
  "sort=' OR 1=1--",
  'sort=created_at&sort=id',
  'dir=x',
  'dir=asc',
  'dir=Asc;drop table users',
  'dir=',
]

describe('an invalid list query (T109)', () => {
  const ask = (operation: Operation, query: string) =>
    admin.get(`${addressOf(operation)}&${query.replaceAll(' ', '%20')}`)

  /** One schema rejects the same values at every list: there, one question per parameter. */
  const checkedSchemas = new Set<string>()
  const questionsFor = ({ name, schema }: Parameter) => {
    const declared = JSON.stringify([name, schema])
    const questions = badQuestions.filter((query) => query.startsWith(`${name}=`))
    const isChecked = checkedSchemas.has(declared)
    checkedSchemas.add(declared)
    return isChecked ? questions.slice(0, 1) : questions
  }

  it.each(byName(lists))(
    'an invalid list query (T109) is rejected at %s',
    async (_name, operation) => {
      const badQueries = operation.parameters.flatMap(questionsFor)
      expect(badQueries.length).toBeGreaterThan(0)
      for (const query of badQueries) {
        const answer = await ask(operation, query)
        const outcome = [query, answer.status, answer.json()['code']]
        expect(outcome).toEqual([query, 400, 'invalid_request'])
      }
    },
  )

  /** A missing object has no list. */
  const ownLists = lists.filter(({ path }) => !path.includes('{'))
  it.each(byName(ownLists))(
    'an invalid list query (T109) gets at most 200 on a page of %s',
    async (_name, operation) => {
      for (const limit of [1, 201]) {
        const answer = await ask(operation, `limit=${limit}`)
        const { data, paging } = answer.json<Partial<Page>>()
        expect([limit, answer.status]).toEqual([limit, 200])
        expect(data?.length).toBeLessThanOrEqual(Math.min(limit, 200))
        if (paging) expect(paging['limit']).toBe(Math.min(limit, 200))
      }
    },
  )
})

const hostile = ["' OR 1=1--", '%', '_', '\\', "'; drop table users; --", '%25%27', '*']
/** Stored or compared, but never searched: one text with every special character. */
const hostileInBody = "';--\\%_*%25"
/** The possible outcomes: nothing found, or a refusal. */
const refusals = [400, 404, 410, 422, 429]
const isText = ({ type, anyOf }: Schema): boolean =>
  type === 'string' || (anyOf?.some(isText) ?? false)
/** The schema rejects every text of another form before the database sees it. */
const hasForm = ({ format, pattern, enum: words, anyOf }: Schema): boolean =>
  anyOf
    ? anyOf.every((one) => one.type === 'null' || hasForm(one))
    : Boolean(format ?? pattern ?? words)
const checkedForms = new Set<string>()
/** Only a search gives patterns a meaning. A form is checked once: its check is the same everywhere. */
const hostileTo = ({ name, schema }: Parameter): string[] => {
  if (!hasForm(schema)) return name === 'q' ? hostile : [hostileInBody]
  const form = JSON.stringify(schema)
  const isChecked = checkedForms.has(form)
  checkedForms.add(form)
  return isChecked ? [] : hostile.slice(0, 1)
}

/** The rows of a page, or those of a CSV export below its header. */
const foundBy = ({ headers, body, json }: Answer): unknown[] =>
  headers.get('content-type')?.startsWith('text/csv')
    ? body.trim().split('\n').slice(1)
    : json<Page>().data

describe('a text with special characters for the database (T109)', () => {
  const triesInPath = described.flatMap((operation) => {
    const tries = operation.parameters
      .filter(({ schema }) => isText(schema))
      .flatMap((one) => hostileTo(one).map((text) => ({ name: one.name, text })))
    return tries.length > 0 ? [[nameOf(operation), operation, tries] as const] : []
  })
  it.each(triesInPath)('matches nothing in the path of %s', async (_name, operation, tries) => {
    for (const { name, text } of tries) {
      const address = addressOf(operation, { [name]: text })
      const answer = await asClerk(operation.method, address, operation.body)
      const outcome = [name, text, answer.status]
      if (answer.status !== 200) expect(refusals, outcome.join(' ')).toContain(answer.status)
      else expect([...outcome, foundBy(answer)]).toEqual([...outcome, []])
    }
  })

  const triesInBody = described.flatMap((operation) => {
    const names = Object.entries(operation.body?.properties ?? {})
      .filter(([, schema]) => isText(schema))
      .filter(([, schema]) => hostileTo({ name: 'body', in: 'body', schema }).length > 0)
      .map(([name]) => name)
    return names.length > 0 ? [[nameOf(operation), operation, names] as const] : []
  })
  it.each(triesInBody)(
    'a text with special characters for the database (T109) is treated as text in the body of %s',
    async (_name, operation, names) => {
      const { method, body = {} } = operation
      // Otherwise a search for “%” would rightly match the name of the caller.
      onTestFinished(async () => {
        await service.db
          .updateTable('users')
          .set({ first_name: null, last_name: null })
          .where('id', '=', clerk.id)
          .execute()
      })
      for (const name of names) {
        const answer = await asClerk(method, addressOf(operation), body, { [name]: hostileInBody })
        const outcome = `${name} ${answer.status}`
        expect([200, 401, 403, ...refusals], outcome).toContain(answer.status)
        expect(answer.body, outcome).not.toMatch(/syntax error|relation|pg_|constraint/)
      }
    },
  )

  it('deactivates no user and removes no right of the caller', async () => {
    expect((await asClerk('GET', '/api/users')).status).toBe(200)
    const active = service.db.selectFrom('users').select('id').where('deactivated_at', 'is', null)
    expect((await active.execute()).length).toBeGreaterThanOrEqual(total)
  })
})

describe('a path or query that is not text (T109)', () => {
  const queries = ['x=%ZZ', 'x=%00', 'x=%C0%AF']
  it.each(queries)('a path or query that is not text (T109) is rejected: %s', async (query) => {
    expect((await asClerk('GET', `/api/users?${query}`)).status).toBe(400)
  })

  it('a path or query that is not text (T109) is rejected by every operation', async () => {
    const answerList: [string, number][] = []
    for (const [nth, operation] of described.entries()) {
      const query = queries[nth % queries.length]
      const { status } = await asClerk(operation.method, `${addressOf(operation)}&${query}`)
      answerList.push([nameOf(operation), status])
    }
    expect(answerList.filter(([, status]) => status !== 400)).toEqual([])
    expect(answerList.length).toBeGreaterThan(100)
  })
})

/** Sent by a Super: only the text can cause the refusal. */
async function asClerk(method: string, path: string, body?: Schema, more: object = {}) {
  const { headers } = bearer(clerk.tokens.access_token)
  return service.call(method, path, {
    headers,
    ...(body ? { body: { ...(exampleOf(body) as object), ...more } } : {}),
  })
}

describe('filters of the audit', () => {
  it.each(["' OR 1=1--", '%', '_', '\\', "'; drop table audit_entries; --", '%00'])(
    'refuse %s as an event',
    async (text) => {
      const encodedText = text === '%00' ? text : encodeURIComponent(text)
      const answer = await admin.get(`/api/admin/audit?event=${encodedText}`)
      expect(answer.status).toBe(400)
    },
  )

  it.each(['actor_id', 'subject_id'])('accept only a uuid as %s', async (name) => {
    expect((await admin.get(`/api/admin/audit?${name}=1%20or%201=1`)).status).toBe(400)
    expect((await list(`${name}=${admin.id}`, '/api/admin/audit')).data.length).toBeGreaterThan(0)
  })
})
