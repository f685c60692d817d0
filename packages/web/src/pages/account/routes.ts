import { createRoute } from '@tanstack/react-router'
import { readListSearch } from '../../design/list-search.ts'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

/** Lists on all account pages store their state in the URL. */
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  validateSearch: readListSearch,
  component: lazyPage(() => import('./layout.tsx'), 'AccountLayout'),
})

const idsPage = lazyPage(() => import('./ids/page.tsx'), 'IdsPage')

const id = createRoute({
  getParentRoute: () => account,
  path: '/ids/$id',
  component: lazyPage(() => import('./id/layout.tsx'), 'IdLayout'),
})

export const accountRoutes = account.addChildren([
  createRoute({
    getParentRoute: () => account,
    path: '/',
    component: idsPage,
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/ids',
    component: idsPage,
  }),
  id.addChildren([
    createRoute({
      getParentRoute: () => id,
      path: '/',
      component: lazyPage(() => import('./id/addresses/page.tsx'), 'IdAddressesPage'),
    }),
    createRoute({
      getParentRoute: () => id,
      path: '/page',
      component: lazyPage(() => import('./id/page-data/page.tsx'), 'IdPageDataPage'),
    }),
    createRoute({
      getParentRoute: () => id,
      path: '/share',
      component: lazyPage(() => import('./id/share/page.tsx'), 'IdSharePage'),
    }),
    createRoute({
      getParentRoute: () => id,
      path: '/history',
      component: lazyPage(() => import('./id/history/page.tsx'), 'IdHistoryPage'),
    }),
  ]),
  createRoute({
    getParentRoute: () => account,
    path: '/transfers',
    component: lazyPage(() => import('./transfers/page.tsx'), 'TransfersPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/interests',
    component: lazyPage(() => import('./interests/page.tsx'), 'InterestsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/orders',
    component: lazyPage(() => import('./orders/page.tsx'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/sales',
    component: lazyPage(() => import('./sales/page.tsx'), 'SalesPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/payment-methods',
    component: lazyPage(() => import('./payment-methods/page.tsx'), 'PaymentMethodsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/lootboxes',
    component: lazyPage(() => import('./lootboxes/page.tsx'), 'LootboxesPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/lootboxes/for-sale',
    component: lazyPage(() => import('./lootboxes/for-sale-page.tsx'), 'LootboxesForSalePage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/lootboxes/$id',
    component: lazyPage(() => import('./lootbox/page.tsx'), 'LootboxPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/notifications',
    component: lazyPage(() => import('./notifications/page.tsx'), 'NotificationsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/security',
    component: lazyPage(() => import('./security/page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/keys',
    component: lazyPage(() => import('./keys/page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks',
    component: lazyPage(() => import('./webhooks/page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/webhooks/$id',
    component: lazyPage(() => import('./webhook/page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/organizations',
    component: lazyPage(() => import('./organizations/page.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/profile',
    component: lazyPage(() => import('./profile/page.tsx'), 'ProfilePage'),
  }),
])
