import { createRoute } from '@tanstack/react-router'
import { readListSearch } from './design/list-search.ts'
import { lazyPage } from './lazy-page.ts'
import { root } from './root-route.tsx'

/** Lists of all its pages keep what they show in the address. */
const account = createRoute({
  getParentRoute: () => root,
  path: '/account',
  validateSearch: readListSearch,
  component: lazyPage(() => import('./pages/account/layout.tsx'), 'AccountLayout'),
})

const id = createRoute({
  getParentRoute: () => account,
  path: '/ids/$id',
  component: lazyPage(() => import('./pages/account/id/layout.tsx'), 'IdLayout'),
})

export const accountRoutes = account.addChildren([
  createRoute({
    getParentRoute: () => account,
    path: '/',
    component: lazyPage(() => import('./pages/account/ids/page.tsx'), 'IdsPage'),
  }),
  id.addChildren([
    createRoute({
      getParentRoute: () => id,
      path: '/',
      component: lazyPage(() => import('./pages/account/id/addresses/page.tsx'), 'IdAddressesPage'),
    }),
    createRoute({
      getParentRoute: () => id,
      path: '/page',
      component: lazyPage(() => import('./pages/account/id/page-data/page.tsx'), 'IdPageDataPage'),
    }),
    createRoute({
      getParentRoute: () => id,
      path: '/history',
      component: lazyPage(() => import('./pages/account/id/history/page.tsx'), 'IdHistoryPage'),
    }),
  ]),
  createRoute({
    getParentRoute: () => account,
    path: '/transfers',
    component: lazyPage(() => import('./pages/account/transfers/page.tsx'), 'TransfersPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/interests',
    component: lazyPage(() => import('./pages/account/interests/page.tsx'), 'InterestsPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/orders',
    component: lazyPage(() => import('./pages/account/orders/page.tsx'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/sales',
    component: lazyPage(() => import('./pages/account/sales/page.tsx'), 'SalesPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/payment-methods',
    component: lazyPage(
      () => import('./pages/account/payment-methods/page.tsx'),
      'PaymentMethodsPage',
    ),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/lootboxes',
    component: lazyPage(() => import('./pages/account/lootboxes/page.tsx'), 'LootboxesPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/lootboxes/for-sale',
    component: lazyPage(
      () => import('./pages/account/lootboxes/for-sale-page.tsx'),
      'LootboxesForSalePage',
    ),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/lootboxes/$id',
    component: lazyPage(() => import('./pages/account/lootbox/page.tsx'), 'LootboxPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/security',
    component: lazyPage(() => import('./pages/account/security/page.tsx'), 'SecurityPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/keys',
    component: lazyPage(() => import('./pages/account/keys/page.tsx'), 'KeysPage'),
  }),
  createRoute({
    getParentRoute: () => account,
    path: '/profile',
    component: lazyPage(() => import('./pages/account/profile/page.tsx'), 'ProfilePage'),
  }),
])
