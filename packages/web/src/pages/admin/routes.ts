import { createRoute } from '@tanstack/react-router'
import { readListSearch } from '../../design/list-search.ts'
import { lazyPage } from '../../lazy-page.ts'
import { root } from '../../root-route.tsx'

/** Lists on all operator pages store their state in the URL. */
const admin = createRoute({
  getParentRoute: () => root,
  path: '/admin',
  validateSearch: readListSearch,
  component: lazyPage(() => import('./layout.tsx'), 'AdminLayout'),
})

const lootboxes = createRoute({
  getParentRoute: () => admin,
  path: '/lootboxes',
  component: lazyPage(() => import('./lootboxes/layout.tsx'), 'LootboxesLayout'),
})

export const adminRoutes = admin.addChildren([
  createRoute({
    getParentRoute: () => admin,
    path: '/',
    component: lazyPage(() => import('./overview/page.tsx'), 'OverviewPage'),
  }),
  lootboxes.addChildren([
    createRoute({
      getParentRoute: () => lootboxes,
      path: '/',
      component: lazyPage(() => import('./lootboxes/page.tsx'), 'LootboxesPage'),
    }),
    createRoute({
      getParentRoute: () => lootboxes,
      path: '/types',
      component: lazyPage(() => import('./lootbox-types/page.tsx'), 'LootboxTypesPage'),
    }),
    createRoute({
      getParentRoute: () => lootboxes,
      path: '/types/new',
      component: lazyPage(() => import('./lootbox-type-new/page.tsx'), 'NewLootboxTypePage'),
    }),
    createRoute({
      getParentRoute: () => lootboxes,
      path: '/$id',
      component: lazyPage(() => import('./lootbox/page.tsx'), 'LootboxPage'),
    }),
  ]),
  createRoute({
    getParentRoute: () => admin,
    path: '/ids',
    component: lazyPage(() => import('./ids/page.tsx'), 'IdsPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/ids/$id',
    component: lazyPage(() => import('./id/page.tsx'), 'IdPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/suspensions',
    component: lazyPage(() => import('./suspensions/page.tsx'), 'SuspensionsPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/reserved',
    component: lazyPage(() => import('./reserved/page.tsx'), 'ReservedPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/users',
    component: lazyPage(() => import('./users/page.tsx'), 'UsersPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/users/$id',
    component: lazyPage(() => import('./user/page.tsx'), 'UserPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/orders',
    component: lazyPage(() => import('./orders/page.tsx'), 'OrdersPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/orders/$id',
    component: lazyPage(() => import('./order/page.tsx'), 'OrderPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/disputes',
    component: lazyPage(() => import('./disputes/page.tsx'), 'DisputesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/disputes/$id',
    component: lazyPage(() => import('./dispute/page.tsx'), 'DisputePage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/reports',
    component: lazyPage(() => import('./reports/page.tsx'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/reports/$id',
    component: lazyPage(() => import('./report/page.tsx'), 'ReportPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/codes',
    component: lazyPage(() => import('./codes/page.tsx'), 'CodesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/prices',
    component: lazyPage(() => import('./prices/page.tsx'), 'PricesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/prices/new',
    component: lazyPage(() => import('./prices-new/page.tsx'), 'NewPricesPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/organizations',
    component: lazyPage(() => import('./organizations/page.tsx'), 'OrganizationsPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/organizations/$id',
    component: lazyPage(() => import('./organization/page.tsx'), 'OrganizationPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/applications',
    component: lazyPage(() => import('./applications/page.tsx'), 'ApplicationsPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/applications/new',
    component: lazyPage(() => import('./application-new/page.tsx'), 'NewApplicationPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/applications/$id',
    component: lazyPage(() => import('./application/page.tsx'), 'ApplicationPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/webhooks',
    component: lazyPage(() => import('./webhooks/page.tsx'), 'WebhooksPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/webhooks/$id',
    component: lazyPage(() => import('./webhook/page.tsx'), 'WebhookPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/tokens',
    component: lazyPage(() => import('./tokens/page.tsx'), 'TokensPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/audit',
    component: lazyPage(() => import('./audit/page.tsx'), 'AuditPage'),
  }),
  createRoute({
    getParentRoute: () => admin,
    path: '/jobs',
    component: lazyPage(() => import('./jobs/page.tsx'), 'JobsPage'),
  }),
])
