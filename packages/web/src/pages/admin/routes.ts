import { createRoute } from '@tanstack/react-router'
import { readListSearch } from '../../design/list-search.ts'
import { type LazyPage, lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

/** Lists on all operator pages store their state in the URL. */
const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  validateSearch: readListSearch,
  component: lazyPage(() => import('./layout.tsx'), 'AdminLayout'),
})

const page = <Path extends string, Name extends string>(path: Path, ...lazy: LazyPage<Name>) =>
  createRoute({ getParentRoute: () => admin, path, component: lazyPage(...lazy) })

const lootboxes = page('/lootboxes', () => import('./lootboxes/layout.tsx'), 'LootboxesLayout')

const lootboxPage = <Path extends string, Name extends string>(
  path: Path,
  ...lazy: LazyPage<Name>
) => createRoute({ getParentRoute: () => lootboxes, path, component: lazyPage(...lazy) })

export const adminRoutes = admin.addChildren([
  page('/', () => import('./overview/page.tsx'), 'OverviewPage'),
  lootboxes.addChildren([
    lootboxPage('/', () => import('./lootboxes/page.tsx'), 'LootboxesPage'),
    lootboxPage('/types', () => import('./lootbox-types/page.tsx'), 'LootboxTypesPage'),
    lootboxPage('/types/new', () => import('./lootbox-type-new/page.tsx'), 'NewLootboxTypePage'),
    lootboxPage('/$id', () => import('./lootbox/page.tsx'), 'LootboxPage'),
  ]),
  page('/ids', () => import('./ids/page.tsx'), 'IdsPage'),
  page('/ids/$id', () => import('./id/page.tsx'), 'IdPage'),
  page('/suspensions', () => import('./suspensions/page.tsx'), 'SuspensionsPage'),
  page('/reserved', () => import('./reserved/page.tsx'), 'ReservedPage'),
  page('/users', () => import('./users/page.tsx'), 'UsersPage'),
  page('/users/$id', () => import('./user/page.tsx'), 'UserPage'),
  page('/orders', () => import('./orders/page.tsx'), 'OrdersPage'),
  page('/orders/$id', () => import('./order/page.tsx'), 'OrderPage'),
  page('/disputes', () => import('./disputes/page.tsx'), 'DisputesPage'),
  page('/disputes/$id', () => import('./dispute/page.tsx'), 'DisputePage'),
  page('/reports', () => import('./reports/page.tsx'), 'ReportsPage'),
  page('/reports/$id', () => import('./report/page.tsx'), 'ReportPage'),
  page('/codes', () => import('./codes/page.tsx'), 'CodesPage'),
  page('/prices', () => import('./prices/page.tsx'), 'PricesPage'),
  page('/prices/new', () => import('./prices-new/page.tsx'), 'NewPricesPage'),
  page('/organizations', () => import('./organizations/page.tsx'), 'OrganizationsPage'),
  page('/organizations/$id', () => import('./organization/page.tsx'), 'OrganizationPage'),
  page('/applications', () => import('./applications/page.tsx'), 'ApplicationsPage'),
  page('/applications/new', () => import('./application-new/page.tsx'), 'NewApplicationPage'),
  page('/applications/$id', () => import('./application/page.tsx'), 'ApplicationPage'),
  page('/webhooks', () => import('./webhooks/page.tsx'), 'WebhooksPage'),
  page('/webhooks/$id', () => import('./webhook/page.tsx'), 'WebhookPage'),
  page('/tokens', () => import('./tokens/page.tsx'), 'TokensPage'),
  page('/audit', () => import('./audit/page.tsx'), 'AuditPage'),
  page('/jobs', () => import('./jobs/page.tsx'), 'JobsPage'),
])
