import { type Static, Type } from 'typebox'
import { OneOf } from '../../../platform/http/schemas.ts'

export const ProxyCall = Type.Object({
  service: OneOf(['Echo', 'Scraper'] as const),
  data: Type.Optional(
    Type.String({
      maxLength: 65_536,
      description: 'Echo: any text. Scraper: the http or https address of a public page',
    }),
  ),
})
export type ProxyCall = Static<typeof ProxyCall>

export const ProxyResult = Type.Object({
  json: Type.Unknown({ description: 'The value as JSON; null if it is not JSON' }),
  value: Type.String(),
})
export type ProxyResult = Static<typeof ProxyResult>
