import { createRootRoute, Outlet, redirect } from '@tanstack/react-router'
import { takeArrival } from './api/arrival.ts'
import './api/partner-visit.ts'
import { Frame } from './design/frame.tsx'
import { ErrorPage, NotFound } from './pages/not-found.tsx'

export const root = createRootRoute({
  async beforeLoad({ location: { href: next } }) {
    const arrival = await takeArrival()
    if (arrival === 'owing' || arrival === 'unsure')
      throw redirect({ to: '/sign-in', search: { next } })
    if (arrival === 'gone') throw redirect({ to: '/sign-in', search: { next, gone: true } })
  },
  component: () => (
    <Frame>
      <Outlet />
    </Frame>
  ),
  notFoundComponent: NotFound,
  errorComponent: ErrorPage,
})
