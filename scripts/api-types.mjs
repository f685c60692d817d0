// Writes TypeScript types in the shape that openapi-fetch reads, for the few words of JSON schema
// that docs/openapi.json uses.

/** Returns the source of the types `components`, `operations` and `paths`. */
export function apiTypes({ components, paths }) {
  const schemas = Object.entries(components.schemas)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return [
    '// Made from docs/openapi.json by scripts/api-types.mjs.',
    `export type components = { schemas: ${block(schemas.map(([name, schema]) => field(name, schema)))} }`,
    `export type operations = ${block(operations.map(operationField))}`,
    `export type paths = ${block(Object.entries(paths).map(pathField))}`,
    '',
  ].join('\n')
}

const places = ['query', 'header', 'path', 'cookie']

function operationField({ operationId, summary, parameters = [], requestBody, responses }) {
  const parameterFields = places.map((place) => {
    const placed = parameters.filter((parameter) => parameter.in === place)
    const mark = placed.some(({ required }) => required) ? '' : '?'
    const fields = placed.map(({ name, schema, required, description }) =>
      field(name, { description, ...schema }, required),
    )
    return `${place}${mark}: ${placed.length > 0 ? block(fields) : 'never'}`
  })
  const responseFields = Object.entries(responses).map(([status, { content }]) => {
    const fields = ['headers: Record<string, unknown>', `content${contentOf(content)}`]
    return `${status}: ${block(fields)}`
  })
  const fields = [
    `parameters: ${block(parameterFields)}`,
    requestBody
      ? `requestBody: { content${contentOf(requestBody.content)} }`
      : 'requestBody?: never',
    `responses: ${block(responseFields)}`,
  ]
  return `${comment(summary)}${operationId}: ${block(fields)}`
}

function pathField([path, methods]) {
  const fields = Object.entries(methods).map(
    ([method, { operationId }]) => `${method}: operations["${operationId}"]`,
  )
  return `"${path}": ${block(fields)}`
}

function contentOf(content) {
  if (!content) return '?: never'
  return `: ${block(Object.entries(content).map(([type, { schema }]) => field(type, schema)))}`
}

function field(name, schema, isRequired = true) {
  const key = /^\w+$/.test(name) ? name : `"${name}"`
  return `${comment(schema.description)}${key}${isRequired ? '' : '?'}: ${typeOf(schema)}`
}

function typeOf(schema) {
  const { $ref, anyOf, enum: values, type, items } = schema
  if ($ref) return `components["schemas"]["${$ref.split('/').at(-1)}"]`
  if (anyOf) return anyOf.map(typeOf).join(' | ')
  if (values) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (type === undefined) return 'unknown'
  if (type === 'integer') return 'number'
  if (type === 'array') return `(${typeOf(items)})[]`
  return type === 'object' ? objectOf(schema) : type
}

function objectOf({ properties = {}, required = [], additionalProperties }) {
  const fields = Object.entries(properties).map(([name, schema]) =>
    field(name, schema, required.includes(name)),
  )
  if (fields.length > 0) return block(fields)
  if (!additionalProperties) return 'Record<string, never>'
  return `Record<string, ${additionalProperties === true ? 'unknown' : typeOf(additionalProperties)}>`
}

const comment = (text) => (text ? `/** ${text.replaceAll('*/', '*\\/')} */\n` : '')

const block = (fields) => `{\n${fields.join('\n').replaceAll(/^/gm, '  ')}\n}`
