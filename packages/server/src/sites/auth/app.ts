import type { FastifyInstance } from 'fastify'
import { servePages } from '../../platform/http/pages.ts'

/** {auth_url}: where people prove who they are. */
export async function authSite(app: FastifyInstance, { webUrl }: { webUrl: string }) {
  servePages(app, webUrl)
}
