import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clients, OauthClient } from '../../features/oauth/clients/clients.ts'
import type { Grants } from '../../features/oauth/grants/grants.ts'
import { type ErrorKind, refusal, ServiceError } from '../../platform/errors.ts'
import { toServiceError } from '../../platform/http/faults.ts'
import { formLimit, parseForm } from '../../platform/http/pages/forms.ts'

type Options = { grants: Grants; clients: Clients }
type Form = URLSearchParams

/** Endpoints for the servers of applications (RFC 6749, RFC 7009). CORS is off. */
export async function tokenEndpoints(app: FastifyInstance, { grants, clients }: Options) {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formLimit },
    async (_request: FastifyRequest, body: string): Promise<Form> => parseForm(body),
  )
  app.setErrorHandler(sendError)
  app.addHook('onRequest', async (_request, reply) => void reply.header('pragma', 'no-cache'))

  /** The form and its authenticated application; rejects a missing or repeated secret. */
  const read = async (request: FastifyRequest) => {
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
    const names = [...form.keys()]
    if (new Set(names).size < names.length) throw invalid('A parameter is repeated.')
    if ('client_secret' in (request.query as object)) {
      throw invalid('Send the secret in the body or as Basic authorization, never in the address.')
    }
    const { id, secret } = credentialsOf(request.headers.authorization, form)
    const client = await clients.authenticateClient(id, secret, request.ip)
    if (!client) throw new ClientError()
    return { form, client }
  }

  app.post('/token', async (request) => {
    const { form, client } = await read(request)
    const grant = grantTypes.get(requireField(form, 'grant_type'))
    if (!grant) throw protocol('unsupported_grant_type', 'This grant type is not supported.')
    return grant(grants, client, form)
  })
  app.post('/revoke', async (request) => {
    const { form, client } = await read(request)
    await grants.revokeToken(client, requireField(form, 'token'))
    return {}
  })
  for (const url of ['/token', '/revoke']) {
    app.route({
      method: ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      url,
      config: { refuses_methods: true },
      handler: async (_request, reply) => {
        const body = describe('invalid_request', 'Send a form by POST.')
        return reply.code(405).header('allow', 'POST').send(body)
      },
    })
  }
}

type Grant = (grants: Grants, client: OauthClient, form: Form) => Promise<unknown>

const exchange: Grant = (grants, client, form) =>
  grants.exchangeCode(client, {
    code: requireField(form, 'code'),
    redirect_uri: requireField(form, 'redirect_uri'),
    code_verifier: form.get('code_verifier') || undefined,
  })
const refresh: Grant = (grants, client, form) => {
  if ((form.get('scope') || 'svc') !== 'svc') {
    throw protocol('invalid_scope', 'The only scope is svc.')
  }
  return grants.refreshGrant(client, requireField(form, 'refresh_token'))
}
const grantTypes = new Map([
  ['authorization_code', exchange],
  ['refresh_token', refresh],
])

function requireField(form: Form, name: string): string {
  const value = form.get(name)
  if (!value) throw invalid(`${name} is missing.`)
  return value
}

/** In the header or in the form, not in both. */
function credentialsOf(header: string | undefined, form: Form) {
  const [client_id, client_secret] = [form.get('client_id'), form.get('client_secret')]
  if (header === undefined) {
    if (!client_id || !client_secret) throw new ClientError()
    return { id: client_id, secret: client_secret }
  }
  if (client_secret !== null) throw invalid('Send the secret in one place only.')
  const encoded = /^basic +([\w+/=-]+) *$/i.exec(header)?.[1]
  const [id, secret] = encoded ? decodeBasic(encoded) : []
  if (!id || !secret || (client_id !== null && client_id !== id)) throw new ClientError()
  // PostgreSQL rejects NUL, and no client id contains one.
  if (id.includes('\u0000')) throw new ClientError()
  return { id, secret }
}

function decodeBasic(encoded: string): string[] {
  const [id = '', ...rest] = Buffer.from(encoded, 'base64').toString('utf8').split(':')
  try {
    return [id, rest.join(':')].map((part) => decodeURIComponent(part.replaceAll('+', ' ')))
  } catch {
    return []
  }
}

const describe = (error: string, error_description: string) => ({ error, error_description })

const answers: Partial<Record<ErrorKind, [status: number, error: string]>> = {
  too_large: [413, 'invalid_request'],
  limited: [429, 'temporarily_unavailable'],
  unavailable: [503, 'temporarily_unavailable'],
}

/** RFC 6749 section 5.2. */
function sendError(thrownError: unknown, request: FastifyRequest, reply: FastifyReply) {
  const error = toServiceError(thrownError)
  if (!error) {
    request.log.error({ err: thrownError, request_id: request.id }, 'A token request failed')
    return reply
      .code(500)
      .send(describe('server_error', `Contact us with this request id: ${request.id}`))
  }
  const retry = error.details.retry_after_seconds
  if (retry !== undefined) reply.header('retry-after', String(retry))
  if (error instanceof ClientError) {
    reply.code(401).header('www-authenticate', 'Basic realm="token", charset="UTF-8"')
    return reply.send(describe(error.code, error.message))
  }
  const [status, code] = answers[error.kind] ?? [400, wordOf(error)]
  return reply.code(status).send(describe(code, error.message))
}

const words = ['invalid_request', 'invalid_grant', 'invalid_scope', 'unsupported_grant_type']
const wordOf = ({ code }: ServiceError): string => (words.includes(code) ? code : 'invalid_request')

const protocol = (code: string, message: string) => refusal('invalid', code, message)
const invalid = (message: string) => protocol('invalid_request', message)

class ClientError extends ServiceError {
  override readonly name = 'ClientError'
  constructor() {
    super('unauthenticated', 'invalid_client', 'The client id or its secret is wrong.')
  }
}
