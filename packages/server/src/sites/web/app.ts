import type { FastifyInstance } from 'fastify'
import type { SiteSessions } from '../../features/site-sessions/index.ts'
import { serveArt } from '../../platform/http/art.ts'
import { servePages } from '../../platform/http/pages.ts'
import { createAppShell } from './app-shell.ts'
import { webSession } from './session.ts'

export type WebOptions = {
  guard: (app: FastifyInstance) => void
  webUrl: string
  baseUrl: string
  authUrl: string
  webSessions: SiteSessions
}

/** Views of the browser app; it finds out by itself which one. */
const views = ['/', '/sign-in']

/** {web_url}: what people see. */
export async function webSite(app: FastifyInstance, options: WebOptions) {
  const { guard, webUrl, baseUrl, authUrl, webSessions } = options
  servePages(app, webUrl)
  guard(app)
  serveArt(app)
  await app.register(webSession, { webSessions, webUrl })
  const sendApp = await createAppShell(app, { webUrl, baseUrl, authUrl })
  for (const view of views) app.get(view, async (_request, reply) => sendApp(reply))
}
