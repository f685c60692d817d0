import { textLengths } from '@emojid/core'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Static, Type } from 'typebox'
import {
  groupRoutes,
  Nullable,
  OptionalReason,
  Timestamp,
} from '../../../platform/http/api/schemas.ts'
import { callerOf } from '../../operations/access/access.ts'
import type { PartnerBranding } from './branding.ts'

/** Limits the length only; the rules check the link. */
const Link = (description: string) => Type.String({ ...textLengths.url, description })
const Currency = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9:._-]{0,31}$',
  description: 'A known ticker or tag, such as BTC or 0x1003',
})

const PartnerParams = Type.Object({
  id: Type.String({ minLength: 1, description: 'Partner path or uuid' }),
})

export const NewBranding = Type.Object({
  currencies: Type.Array(Currency, { maxItems: 200, uniqueItems: true }),
  return_link: Link('https, http on localhost, or a custom app scheme; used unchanged'),
  logo: Type.Optional(Link('The https address of a picture')),
  logo_small: Type.Optional(Link('The https address of a small picture')),
  logo_thumbnail: Type.Optional(Link('The https address of the smallest picture')),
  requires_email: Type.Optional(Type.Boolean()),
  reason: OptionalReason,
})
export type NewBranding = Static<typeof NewBranding>

export const Branding = Type.Object({
  organization_id: Type.String({ format: 'uuid' }),
  name: Type.String({ description: 'The name of the organization' }),
  currencies: Type.Array(Type.String()),
  requires_email: Type.Boolean(),
  client_fee_percent: Type.Optional(
    Type.Integer({
      description: 'The fee on the price of ids that are bought through the organization',
    }),
  ),
  return_link: Type.String(),
  logo: Nullable(Type.String()),
  logo_small: Nullable(Type.String()),
  logo_thumbnail: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Branding = Static<typeof Branding>

export const brandingRoutes: FastifyPluginAsyncTypebox<{ branding: PartnerBranding }> = async (
  app,
  { branding },
) => {
  groupRoutes(app, 'Organizations')

  app.get('/organizations/:id/branding', {
    config: { access: 'public' },
    schema: {
      operationId: 'getBranding',
      summary: 'Show organization branding',
      params: PartnerParams,
      response: { 200: Branding },
    },
    handler: async ({ params }) => branding.loadBranding(params.id),
  })

  app.put('/organizations/:id/branding', {
    config: { access: 'user', key_scopes: ['organization:write'], sensitive: 'code_or_nothing' },
    schema: {
      operationId: 'setBranding',
      summary: 'Set organization branding',
      description:
        'Replaces the whole branding. For owners of the organization and administrators. A new return_link requires a fresh code, or a sign-in within the last 15 minutes from accounts without a second factor; API keys can’t set it. We email the owners. Visits that began before keep the former link.',
      params: PartnerParams,
      body: NewBranding,
      response: { 200: Branding },
    },
    handler: async (request) =>
      branding.setBranding(callerOf(request), request.params.id, request.body),
  })
}
