import createClient, { type Middleware } from 'openapi-fetch'
import type { paths } from '../generated/api.ts'
import { addresses } from './addresses.ts'
import { askForProof, type Proof, proofFor } from './code-question.ts'
import { offline, Problem } from './problem.ts'
import { accessToken, dropToken, session } from './session.ts'
import { texts } from './texts.ts'

const authorize: Middleware = {
  async onRequest({ request }) {
    const token = await accessToken()
    const isGiven = request.headers.has('authorization')
    if (token && !isGiven) request.headers.set('authorization', `Bearer ${token}`)
    return request
  },
}

function withToken(request: Request, token: string | undefined): Request {
  if (token) request.headers.set('authorization', `Bearer ${token}`)
  return request
}

/** Retries once with a new access token if the current one is rejected. */
async function send(request: Request): Promise<Response> {
  const secondRequest = request.clone()
  const answer = await fetch(request)
  if (answer.status !== 401 || !request.headers.has('authorization')) return answer
  dropToken()
  const token = await accessToken()
  return token ? fetch(withToken(secondRequest, token)) : answer
}

/** The proof that the response requires before a retry. */
async function requiredProofOf(answer: Response): Promise<Proof | undefined> {
  if (answer.status !== 424 && answer.status !== 403) return undefined
  const body = await answer.clone().json()
  const owed = body.code === 'pending_second_factor' ? session.owes() : undefined
  return owed ? { provider: owed } : proofFor(answer.status, body)
}

/** Prompts for a code or a sign-in where one is required, then retries the request. */
async function sendWithProof(request: Request): Promise<Response> {
  const secondRequest = request.clone()
  const answer = await send(request)
  const proof = await requiredProofOf(answer)
  if (!proof || !(await askForProof(proof))) return answer
  return send(withToken(secondRequest, await accessToken()))
}

/** The API client, typed by our OpenAPI description. */
export const api = createClient<paths>({ baseUrl: addresses.api, fetch: sendWithProof })
api.use(authorize)

type Answer<Data> = { data?: Data; error?: unknown; response: Response }

/** Returns the data of a response, or throws its error. */
export async function unwrap<Data>(asking: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await asking.catch((error) => {
    throw error instanceof Problem ? error : offline()
  })
  if (response.status === 424) {
    throw new Problem(424, { ...(error as object), error: texts.codeMissing })
  }
  if (!response.ok) throw new Problem(response.status, (error ?? {}) as object)
  return data as Data
}
