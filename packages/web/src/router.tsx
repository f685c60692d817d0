import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from '@tanstack/react-router'
import { Frame } from './design/frame.tsx'
import { Broken, NotFound } from './pages/not-found.tsx'
import { readSearch, SearchPage } from './pages/search/page.tsx'

const root = createRootRoute({
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFound,
  errorComponent: Broken,
})

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
    component: lazyRouteComponent(() => import('./pages/sign-in/page.tsx'), 'SignInPage'),
  }),
]

export const router = createRouter({
  routeTree: root.addChildren(routes),
  defaultPreload: 'intent',
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
