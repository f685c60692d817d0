import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import type { FirstUse } from './first-use.ts'

// Optimizing the generated code takes as long as generating it, and V8 does it anyway.
const options = { strict: false, useDefaults: true, code: { optimize: false } }
const ofBodies = new Ajv(options)
const ofAddresses = new Ajv({ ...options, coerceTypes: true })
for (const ajv of [ofBodies, ofAddresses]) {
  formats.default(ajv)
  ajv.addFormat('date-time', (text: string) => isMoment(text))
}

/** Query texts become numbers and booleans by the schema; bodies must have the right types. */
export function validateStrictly(app: FastifyInstance, { onFirstUse }: FirstUse): void {
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const ajv = httpPart === 'body' ? ofBodies : ofAddresses
    const validator = onFirstUse(() => ajv.compile(schema as object))
    const validate = (data: unknown) => {
      const compiled = validator()
      const isValid = compiled(data)
      validate.errors = compiled.errors
      return isValid
    }
    validate.errors = undefined as ValidateFunction['errors']
    return validate as ValidateFunction
  })
}

const rfc3339 = formats.default.get('date-time') as { validate: (text: string) => boolean }

/** RFC 3339 allows leap seconds; JavaScript dates do not. */
const isMoment = (text: string): boolean =>
  rfc3339.validate(text) && !Number.isNaN(Date.parse(text))
