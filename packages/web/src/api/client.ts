import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from '../generated/api.ts'
import { addresses } from './addresses.ts'
import { offline, Problem } from './problem.ts'
import { accessToken, forgetToken } from './session.ts'

const authorize: Middleware = {
  async onRequest({ request }) {
    const token = await accessToken()
    if (token) request.headers.set('authorization', `Bearer ${token}`)
    return request
  },
  async onResponse({ response }) {
    if (response.status === 401) forgetToken()
  },
}

/** Our own API, typed by its own description. */
export const api = createClient<paths>({ baseUrl: addresses.api })
api.use(authorize)

type Answer<Data> = { data?: Data; error?: unknown; response: Response }

/** The data of an answer; throws what was refused. */
export async function told<Data>(asking: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asking.catch(() => {
    throw offline()
  })
  if (!response.ok) throw new Problem(response.status, (error ?? {}) as object)
  return data as Data
}
