import {
  createRoute,
  createRouter,
  parseSearchWith,
  stringifySearchWith,
} from '@tanstack/react-router'
import { findServedView } from './design/served-view.ts'
import { lazyPage } from './lazy-page.ts'
import { accountRoutes } from './pages/account/routes.ts'
import { adminRoutes } from './pages/admin/routes.ts'
import { readCart } from './pages/cart/address.ts'
import { ErrorPage } from './pages/not-found.tsx'
import { readPartner } from './pages/partner/address.ts'
import { readSearch, SearchPage } from './pages/search/page.tsx'
import { readSignIn } from './pages/sign-in/address.ts'
import { root } from './root-route.tsx'

const routes = [
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: readSearch,
    component: SearchPage,
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/sign-in',
    validateSearch: readSignIn,
    component: lazyPage(() => import('./pages/sign-in/page.tsx'), 'SignInPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/gift',
    validateSearch: (search): { offer?: string } => search,
    component: lazyPage(() => import('./pages/gift/page.tsx'), 'GiftPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/cart',
    validateSearch: readCart,
    component: lazyPage(() => import('./pages/cart/page.tsx'), 'CartPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/checkout',
    component: lazyPage(() => import('./pages/checkout/page.tsx'), 'CheckoutPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/orders/$id',
    component: lazyPage(() => import('./pages/orders/page.tsx'), 'OrderPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/partner/$path',
    validateSearch: readPartner,
    component: lazyPage(() => import('./pages/partner/page.tsx'), 'CreatePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/partner/$path/link-email',
    validateSearch: readPartner,
    component: lazyPage(() => import('./pages/partner/page.tsx'), 'ConnectPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/partner/$path/manage',
    validateSearch: readPartner,
    component: lazyPage(() => import('./pages/partner/page.tsx'), 'ManagePage'),
  }),
  accountRoutes,
  adminRoutes,
]

/** Whether the app replaces a page that the server wrote, and a person may have scrolled. */
let isTakingOver = findServedView() !== undefined

export const router = createRouter({
  routeTree: root.addChildren(routes),
  // Keep query values as text: 1e999 is not a number.
  parseSearch: parseSearchWith((text) => text),
  stringifySearch: stringifySearchWith(JSON.stringify),
  defaultPreload: 'intent',
  // A failing page keeps its frame.
  defaultErrorComponent: ErrorPage,
  scrollRestoration: () => !isTakingOver || window.scrollY === 0,
})
router.subscribe('onRendered', () => {
  isTakingOver = false
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
