import { createRoute } from '@tanstack/react-router'
import { readListSearch } from '../../design/list-search.ts'
import { type LazyPage, lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

/** Lists on all account pages store their state in the URL. */
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  validateSearch: readListSearch,
  component: lazyPage(() => import('./layout.tsx'), 'AccountLayout'),
})

const page = <Path extends string, Name extends string>(path: Path, ...lazy: LazyPage<Name>) =>
  createRoute({ getParentRoute: () => account, path, component: lazyPage(...lazy) })

const idsPage = lazyPage(() => import('./ids/page.tsx'), 'IdsPage')

const id = page('/ids/$id', () => import('./id/layout.tsx'), 'IdLayout')

const idPage = <Path extends string, Name extends string>(path: Path, ...lazy: LazyPage<Name>) =>
  createRoute({ getParentRoute: () => id, path, component: lazyPage(...lazy) })

export const accountRoutes = account.addChildren([
  createRoute({ getParentRoute: () => account, path: '/', component: idsPage }),
  createRoute({ getParentRoute: () => account, path: '/ids', component: idsPage }),
  id.addChildren([
    idPage('/', () => import('./id/addresses/page.tsx'), 'IdAddressesPage'),
    idPage('/page', () => import('./id/page-data/page.tsx'), 'IdPageDataPage'),
    idPage('/share', () => import('./id/share/page.tsx'), 'IdSharePage'),
    idPage('/history', () => import('./id/history/page.tsx'), 'IdHistoryPage'),
  ]),
  page('/transfers', () => import('./transfers/page.tsx'), 'TransfersPage'),
  page('/interests', () => import('./interests/page.tsx'), 'InterestsPage'),
  page('/orders', () => import('./orders/page.tsx'), 'OrdersPage'),
  page('/sales', () => import('./sales/page.tsx'), 'SalesPage'),
  page('/payment-methods', () => import('./payment-methods/page.tsx'), 'PaymentMethodsPage'),
  page('/lootboxes', () => import('./lootboxes/page.tsx'), 'LootboxesPage'),
  page(
    '/lootboxes/for-sale',
    () => import('./lootboxes/for-sale-page.tsx'),
    'LootboxesForSalePage',
  ),
  page('/lootboxes/$id', () => import('./lootbox/page.tsx'), 'LootboxPage'),
  page('/notifications', () => import('./notifications/page.tsx'), 'NotificationsPage'),
  page('/security', () => import('./security/page.tsx'), 'SecurityPage'),
  page('/keys', () => import('./keys/page.tsx'), 'KeysPage'),
  page('/webhooks', () => import('./webhooks/page.tsx'), 'WebhooksPage'),
  page('/webhooks/$id', () => import('./webhook/page.tsx'), 'WebhookPage'),
  page('/organizations', () => import('./organizations/page.tsx'), 'OrganizationsPage'),
  page('/profile', () => import('./profile/page.tsx'), 'ProfilePage'),
])
