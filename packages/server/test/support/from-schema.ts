import { readFileSync } from 'node:fs'
import fc from 'fast-check'

export type Schema = {
  type?: string
  enum?: readonly unknown[]
  const?: unknown
  anyOf?: readonly Schema[]
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  required?: readonly string[]
  additionalProperties?: unknown
  items?: Schema
  minItems?: number
  maxItems?: number
}
export type Parameter = { name: string; in: string; required?: boolean; schema: Schema }
export type Operation = {
  method: string
  path: string
  tag: string
  parameters: Parameter[]
  body: Schema | undefined
}
type OperationDescription = {
  tags?: string[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every operation of our own description, so additions to the API are covered automatically. */
export function describedOperations(): Operation[] {
  const file = new URL('../../../../docs/openapi.json', import.meta.url)
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as {
    paths: Record<string, Record<string, OperationDescription>>
  }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { tags, parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      tag: tags?.[0] ?? '',
      parameters,
      body: requestBody?.content['application/json']?.schema,
    })),
  )
}

type Options = {
  /** Better values for a member of this name than its schema gives. */
  named?: (name: string, schema: Schema) => fc.Arbitrary<unknown> | undefined
  /** Transforms the values of each part. */
  around?: (values: fc.Arbitrary<unknown>, schema: Schema) => fc.Arbitrary<unknown>
  /** The percentage of optional members that are present. */
  optional?: number
}

/** Valid values of a schema, including its limits. */
export function valuesOf(schema: Schema, options: Options = {}, name = ''): fc.Arbitrary<unknown> {
  const { named, around } = options
  const values = named?.(name, schema) ?? ofKind(schema, options, name)
  return around ? around(values, schema) : values
}

function ofKind(schema: Schema, options: Options, name: string): fc.Arbitrary<unknown> {
  const { anyOf, enum: words, items, properties } = schema
  if (words) return fc.constantFrom(...words)
  if ('const' in schema) return fc.constant(schema.const)
  // Beside members it only restricts their combinations.
  if (anyOf && !properties) return fc.oneof(...anyOf.map((one) => valuesOf(one, options, name)))
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return numbers(schema, (min, max) => fc.integer({ min, max }))
    case 'number':
      return numbers(schema, (min, max) => fc.double({ min, max, noNaN: true }))
    case 'string':
      return texts(schema)
    case 'array': {
      const { minItems = 0, maxItems = 3 } = schema
      const most = Math.max(minItems, Math.min(maxItems, 3))
      return fc.array(valuesOf(items ?? {}, options, name), {
        minLength: minItems,
        maxLength: most,
      })
    }
    case 'object':
      return objects(schema, options)
    default:
      return fc.jsonValue({ maxDepth: 3 })
  }
}

const absent = Symbol('absent')

function objects(schema: Schema, options: Options): fc.Arbitrary<unknown> {
  const { optional = 50 } = options
  const members = Object.entries(schema.properties ?? {}).map(([name, of]) => {
    const values = valuesOf(of, options, name)
    const maybe = fc.oneof(
      { weight: optional, arbitrary: values },
      { weight: 100 - optional, arbitrary: fc.constant(absent) },
    )
    return [name, isRequired(schema, name) ? values : maybe] as const
  })
  return fc
    .record(Object.fromEntries(members))
    .map((value) => Object.fromEntries(Object.entries(value).filter(([, of]) => of !== absent)))
}

const isRequired = ({ required }: Schema, name: string): boolean =>
  required?.includes(name) ?? false

type Range = (min: number, max: number) => fc.Arbitrary<number>
function numbers({ minimum, maximum }: Schema, between: Range): fc.Arbitrary<unknown> {
  const min = minimum ?? Math.min(0, maximum ?? 0)
  const max = maximum ?? Math.max(min, 1_000_000)
  const small = between(min, Math.min(max, min + 10))
  return fc.oneof(fc.constantFrom(min, max), small, between(min, max))
}

function texts({ format, pattern, minLength = 0, maxLength }: Schema): fc.Arbitrary<unknown> {
  if (format === 'uuid') return fc.uuid()
  if (format === 'date-time') {
    const [min, max] = [new Date('2000-01-01'), new Date('2100-01-01')]
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString())
  }
  if (pattern) return textsMatching(pattern)
  const most = Math.max(minLength, Math.min(maxLength ?? 60, 60))
  return fc.oneof(
    fc.string({ minLength, maxLength: most }),
    fc.string({ minLength, maxLength: most, unit: 'grapheme' }),
    fc.constant('x'.repeat(Math.max(minLength, Math.min(maxLength ?? 2_000, 2_000)))),
  )
}

const byPattern = new Map<string, fc.Arbitrary<string>>()

/** fast-check takes tens of milliseconds to prepare a long pattern: cached by pattern. */
function textsMatching(pattern: string): fc.Arbitrary<string> {
  const texts =
    byPattern.get(pattern) ?? fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' })
  byPattern.set(pattern, texts)
  return texts
}

const examples = new WeakMap<Schema, unknown>()

/** One valid value of a schema, with required members only. */
export function exampleOf(schema: Schema, options?: Options): unknown {
  if (options) return sampleValue(schema, options)
  if (!examples.has(schema)) examples.set(schema, sampleValue(schema, {}))
  return examples.get(schema)
}

function sampleValue(schema: Schema, options: Options): unknown {
  const [value] = fc.sample(valuesOf(leastOf(schema), options), { seed: 7, numRuns: 1 })
  return value
}

function leastOf(schema: Schema): Schema {
  if (schema.items) return { ...schema, items: leastOf(schema.items) }
  if (!schema.properties) return schema
  const requiredMembers = Object.entries(schema.properties).filter(([name]) =>
    isRequired(schema, name),
  )
  return {
    ...schema,
    properties: Object.fromEntries(requiredMembers.map(([name, of]) => [name, leastOf(of)])),
  }
}
