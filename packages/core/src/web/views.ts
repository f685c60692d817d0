/** Where partners send people. */
export const partnerViews = ['/partner/:path', '/partner/:path/link-email', '/partner/:path/manage']

/**
 * The pages of the browser app: `:name` stands for one part of a path, `*` for one or more. What is
 * not here is no page of the app: pages of ids lead on to wherever their owners say.
 */
export const appViews = [
  '/',
  '/sign-in',
  '/cart',
  '/checkout',
  '/orders/:id',
  '/account',
  '/account/*',
  '/admin',
  '/admin/*',
]

/** What paths of these views look like, where one part of a path looks like `part`; without anchors. */
export function patternOf(views: readonly string[], part: string): string {
  const forms = views.map((view) =>
    view.replace('/*', `(?:/${part})+`).replace(/:[a-z]+/, `(?:${part})`),
  )
  return `(?:${forms.join('|')})`
}
