import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'

/** Text in addresses becomes numbers and booleans as the schema says; a body must have the right types itself. */
export function validateStrictly(app: FastifyInstance): void {
  const ofBodies = new Ajv({ strict: false, useDefaults: true })
  const ofAddresses = new Ajv({ strict: false, useDefaults: true, coerceTypes: true })
  for (const ajv of [ofBodies, ofAddresses]) formats.default(ajv)
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? ofBodies : ofAddresses).compile(schema as object),
  )
}
