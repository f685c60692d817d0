/** The pages that partners link to. */
export const partnerViews = ['/partner/:path', '/partner/:path/link-email', '/partner/:path/manage']

/**
 * The pages of the browser app: `:name` stands for one part of a path, `*` for one or more. Other
 * paths are not pages of the app, since pages of ids redirect as their owners choose.
 */
export const appViews = [
  '/',
  '/sign-in',
  '/gift',
  '/cart',
  '/checkout',
  '/orders/:id',
  '/account',
  '/account/*',
  '/admin',
  '/admin/*',
]

/** A pattern of the paths of these views, with `part` for one part of a path; without anchors. */
export function patternOf(views: readonly string[], part: string): string {
  const forms = views.map((view) =>
    view.replace('/*', `(?:/${part})+`).replace(/:[a-z]+/, `(?:${part})`),
  )
  return `(?:${forms.join('|')})`
}
