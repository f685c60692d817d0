import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { createFixedAnswer } from '../../platform/http/etag.ts'
import { createBudget } from '../../platform/http/limits.ts'
import { networkOf } from '../../platform/http/network.ts'
import { takeTurn } from '../../platform/turns.ts'
import { describeAccess, securitySchemes } from './access-description.ts'
import { ErrorAnswer } from './errors.ts'

/** The version of the API description that shipped wallets read. */
const apiVersion = '0.2.262'

const refusal = { description: 'The request was refused or failed', $ref: 'Error#' }
const tooMany = {
  description: 'The network exceeded its rate limit; Retry-After says when to retry',
  $ref: 'Error#',
}

export type ApiDescription = {
  baseUrl: string
  build: string
  /** Prepares what first requests would wait for. Tests, which start often, do without. */
  warmsUp: boolean
}

/** Describes the routes registered after it. */
export async function describeApi(app: FastifyInstance, { baseUrl, build }: ApiDescription) {
  app.addSchema({ ...ErrorAnswer, $id: 'Error' })
  await app.register(swagger, {
    // stripBasePath would also strip /api from /api_keys; the transform below removes the prefix.
    stripBasePath: false,
    refResolver: { buildLocalReference: ({ $id }) => String($id) },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Emoji Id Directory',
        summary: 'Emoji ids and the records behind them',
        version: apiVersion,
        ['x-build' as 'description']: build,
      },
      servers: [{ url: baseUrl }],
      components: { securitySchemes },
    },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        ...describeAccess(route.config ?? {}, schema ?? {}),
        ...(schema?.querystring ? { querystring: withDefaults(schema.querystring) } : {}),
        response: {
          ...(schema?.response as object),
          ...(isLimited(route.config) ? { 429: tooMany } : {}),
          default: refusal,
        },
      },
      url: url.slice(app.prefix.length),
    }),
  })
}

/** Every request with credentials counts in the limit of its network. */
const isLimited = ({ access, cost, per_minute, idempotent }: FastifyContextConfig = {}): boolean =>
  access !== 'public' || [cost, per_minute, idempotent].some((member) => member !== undefined)

type Query = { properties?: Record<string, object>; required?: string[] }

/** A member with a default is optional in the request and present in the handler. */
function withDefaults(querystring: unknown): Query {
  const { required = [], ...query } = querystring as Query
  const hasDefault = (name: string) => 'default' in (query.properties?.[name] ?? {})
  return { ...query, required: required.filter((name) => !hasDefault(name)) }
}

/** The description as JSON, and a page to try every operation. */
export async function serveDescription(app: FastifyInstance, { baseUrl, warmsUp }: ApiDescription) {
  // The description has 800 kB.
  const descriptions = createBudget('API descriptions', {
    each: { atOnce: 12, perSecond: 2 },
    all: { atOnce: 120, perSecond: 20 },
  })
  // Requests for the API page and its files, six for each view; the largest has 1.5 MB.
  const files = createBudget('files of the API page', {
    each: { atOnce: 300, perSecond: 15 },
    all: { atOnce: 3_000, perSecond: 60 },
  })
  let text: string | undefined
  // JSON is YAML 1.2, and converting it takes a second.
  const describe = () => (text ??= JSON.stringify(app.swagger()))
  const asJson = createFixedAnswer('application/json; charset=utf-8', describe)
  const asYaml = createFixedAnswer('application/x-yaml', describe)
  // It takes 300 ms, which requests of other clients would wait for.
  if (warmsUp) app.addHook('onReady', async () => void describe())
  const send = async (answer: typeof asJson, request: FastifyRequest, reply: FastifyReply) => {
    const network = networkOf(request.ip)
    descriptions.spend(network, 1)
    // Writing so much takes milliseconds, and this may be before the hook that takes turns.
    await takeTurn(network)
    return answer(request, reply)
  }
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config: { access: 'public' },
    schema: { hide: true },
    handler: async (request, reply) => send(asJson, request, reply),
  })
  await app.register(async (docs) => {
    docs.addHook('onRequest', async ({ ip }) => files.spend(networkOf(ip), 1))
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP: true,
      transformStaticCSP: () => docsPolicy(new URL(baseUrl).origin),
      uiHooks: {
        // The page loads its files by relative URLs, so its address needs the trailing slash.
        onRequest: async (request, reply) => {
          const path = request.url.split('?', 1)[0] ?? ''
          if (path.endsWith('/docs')) return reply.redirect('docs/')
          // The router's form: the raw address can have superfluous percent-encoding.
          const { url = '' } = request.routeOptions
          if (url.endsWith('/docs/json')) return send(asJson, request, reply)
          if (url.endsWith('/docs/yaml')) return send(asYaml, request, reply)
          return undefined
        },
      },
      uiConfig: { docExpansion: 'list', tryItOutEnabled: true, validatorUrl: null },
      theme: { title: 'Emoji Id Directory API' },
    })
  })
}

const docsPolicy = (apiOrigin: string) =>
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  `connect-src 'self' ${apiOrigin}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
