import { readFileSync } from 'node:fs'
import type { Container } from '../../src/container.ts'
import type {} from '../../src/platform/http/route-config.ts'

/** The scopes of each role, listed independently: the code's own table may be wrong. */
export const contract = JSON.parse(
  readFileSync(new URL('../contract/openapi.json', import.meta.url), 'utf8'),
)
export const allScopes: string[] = contract.components.schemas.Scope.enum
const purchases = [
  'cart:show',
  'cart:update',
  'paymentMethod:destroy',
  'paymentMethod:read',
  'paymentMethod:setDefault',
]
export const userScopes = [
  'user:createApiKey',
  'edition:read',
  'emoji::transfer',
  'lootbox:use',
  'order:readSelf',
  'organizationList:read',
  'nftSignature:write',
  'userData:update',
  'user:deleteSelf',
  'userInterest:delete',
  'userInterest:read',
  'userInterest:write',
  'user:writeSelf',
  'userEmoji:list',
]
export const scopesOf = {
  User: [...userScopes, ...purchases],
  Bot: [...userScopes, 'user:activate'],
  Admin: allScopes.filter((scope) => scope !== 'adminUser:loginAs'),
  Super: allScopes,
}
const ofController = [
  'organization:read',
  'organizationEmoji:list',
  'organizationEmoji:write',
  'organizationCode:admin',
  'organizationUser:read',
]
export const organizationScopes = {
  OrgMember: ['organization:read'],
  OrgController: ofController,
  OrgOwner: [...ofController, 'organization:write', 'organization:admin', 'organizationUser:admin'],
}

export type Route = {
  route: string
  method: string
  url: string
  access: string | readonly string[]
  /** The scopes of which a key needs one, where the access is not itself a scope. */
  keyScopes: readonly string[]
  isSensitive: boolean
  /** Requires a fresh code or a recent sign-in, and no key. */
  asksSignIn: boolean
  /** Also for applications that users sign in to. */
  isForApplications: boolean
  /** Answers with a page of rows and their total. */
  isList: boolean
}

/** The scopes of which a key needs one. Empty where keys are refused or no login is needed. */
export const scopesForKeys = ({ access, keyScopes }: Route): readonly string[] => {
  if (keyScopes.length > 0) return keyScopes
  return [access].flat().filter((word) => word.includes(':'))
}

const isPage = (response: unknown): boolean => {
  const { properties = {} } =
    (response as { 200?: { properties?: object } } | undefined)?.[200] ?? {}
  return 'data' in properties && 'paging' in properties
}

/** Collects the declared access of every API route while the service starts. */
export function collectRoutes() {
  const routes: Route[] = []
  let sessions: Container['sessions'] | undefined
  const override = (container: Container): Container => {
    sessions = container.sessions
    const guardApi: Container['guardApi'] = (app) => {
      app.addHook('onRoute', ({ method: methods, url: path, config, schema }) => {
        const url = path.replace(/^\/api/, '')
        for (const method of [methods].flat()) {
          const { access = '', key_scopes: keyScopes = [], ...more } = config ?? {}
          const { sensitive, for_applications } = more
          const isSensitive = sensitive !== undefined
          const isForApplications = for_applications === true
          const asksSignIn = sensitive === 'code_or_sign_in'
          const isList = isPage(schema?.response)
          const declaration = {
            access,
            keyScopes,
            isSensitive,
            asksSignIn,
            isForApplications,
            isList,
          }
          routes.push({ route: `${method} ${url}`, method, url, ...declaration })
        }
      })
      container.guardApi(app)
    }
    return { ...container, guardApi }
  }
  return { routes, override, sessions: () => sessions as Container['sessions'] }
}

type Operation = {
  security?: object[]
  'x-scope'?: string[]
  'x-owner'?: boolean
  'x-sensitive'?: string
}
export type Description = { paths: Record<string, Record<string, Operation>> }
/** Parameters have other names there. */
export const shapeOf = (route: string) => route.replaceAll(/:\w+|\{\w+\}/g, '{}')
export const operationsOf = ({ paths }: Description) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      route: shapeOf(`${method.toUpperCase()} ${path}`),
      operation,
    })),
  )
