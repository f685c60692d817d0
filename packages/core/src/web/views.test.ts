import { describe, expect, it } from 'vitest'
import { appViews, partnerViews, patternOf } from './views.ts'

const views = new RegExp(`^${patternOf([...appViews, ...partnerViews], '[^/]+')}$`)

describe('a page of the app', () => {
  it.each([
    '/',
    '/sign-in',
    '/cart',
    '/checkout',
    '/orders/17',
    '/account',
    '/account/ids/x/history',
    '/admin',
    '/admin/users',
    '/partner/crab',
    '/partner/crab/link-email',
  ])('a page of the app is %s', (path) => {
    expect(views.test(path)).toBe(true)
  })

  it.each([
    '',
    '//',
    '/x',
    '/🔥🐍',
    '/fire.snake',
    '/orders',
    '/orders/',
    '/orders/1/2',
    '/cart/x',
    '/accounts',
    '/account/',
    '/account//x',
    '/partner',
    '/partner/crab/visit',
    '/auth/authorize',
    '/session',
  ])('a page of the app is not %s', (path) => {
    expect(views.test(path)).toBe(false)
  })
})
