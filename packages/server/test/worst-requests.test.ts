import { afterAll, expect, it } from 'vitest'
import { operatorsOnly, worstRequests } from '../../../benchmarks/worst-requests.ts'
import { collectRoutes, shapeOf, userScopes } from './support/access.ts'
import { routesOf } from './support/routes.ts'
import { testService } from './support/service.ts'

const { routes, override } = collectRoutes()
const service = await testService({ override })
afterAll(() => service.close())

/** Any account, or none, passes these. */
const openAccess = ['public', 'anybody', 'optional', 'user', 'session', 'any_session']

it('the abuse benchmark has a request, or a reason for none, for every route of the service', () => {
  expect(
    Object.keys(worstRequests).sort(),
    'Add the route to benchmarks/worst-requests.ts with its most expensive request, or its reason for none.',
  ).toEqual(routesOf(service.app))
})

it('the abuse benchmark leaves out no route of operators that other accounts reach', () => {
  const open = new Set(
    routes
      .filter(({ access }) =>
        [access].flat().some((one) => openAccess.includes(one) || userScopes.includes(one)),
      )
      .map(({ route }) => shapeOf(route.replace(' ', ' /api'))),
  )
  const leftOut = Object.entries(worstRequests).flatMap(([route, entry]) =>
    'exempt' in entry && entry.exempt === operatorsOnly ? [shapeOf(route)] : [],
  )
  expect(leftOut.length).toBeGreaterThan(50)
  expect(leftOut.filter((route) => open.has(route))).toEqual([])
})
