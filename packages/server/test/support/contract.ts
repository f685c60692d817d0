import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Response = { $ref?: string; content?: Record<string, { schema?: { $ref?: string } }> }
type Operation = { responses: Record<string, Response> }
type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { enum?: string[] }> }
}

const parametersIn = (template: string): number => template.split('{').length

const read = (path: string): Description =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** The contract of shipped wallets comes first. Operations beyond it follow our own description. */
const descriptions = [
  { name: 'contract', description: read('../contract/openapi.json') },
  { name: 'ours', description: read('../../../../docs/openapi.json') },
]

/** Scopes beyond the contract. Only keys whose maker named them have them (features/operations/access). */
descriptions[0]?.description.components.schemas['Scope']?.enum?.push(
  'webhook:read',
  'webhook:write',
)

// Optimizing its code takes as long as all the rest.
const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
formats.default(ajv)
ajv.addFormat('int32', true).addFormat('int64', true).addFormat('double', true)
for (const { name, description } of descriptions) ajv.addSchema(description, name)

type Answer = { method: string; path: string; status: number; body: string }
type ContractMatch = { name: string; description: Description; template: string }

/** Throws when an API response breaks the shape that clients rely on. */
export function assertKeepsContract(answer: Answer): void {
  const [closest] = operationsAt(answer)
  if (!closest) return
  const faults = faultsIn(answer, closest)
  if (faults !== undefined) {
    const { method, path, status, body } = answer
    throw new Error(`${method} ${path} ${status} breaks the contract:\n  ${faults}\n${body}`)
  }
  if (closest.name === 'contract') note(`${answer.method} ${closest.template} ${answer.status}`)
}

/** The violations of a response, of the contract and of our own description. */
export const findViolations = (answer: Answer): string[] =>
  operationsAt(answer).flatMap((operation) => {
    const faults = faultsIn(answer, operation)
    return faults === undefined ? [] : [`${operation.name}: ${faults}`]
  })

/** A literal path of ours does not match the contract's path with a parameter in that place. */
function operationsAt({ method, path }: Answer): ContractMatch[] {
  const operations = descriptions.flatMap(({ name, description }) => {
    const template = findTemplate(name, method.toLowerCase(), path)
    return template === undefined ? [] : [{ name, description, template }]
  })
  const fewest = Math.min(...operations.map(({ template }) => parametersIn(template)))
  return operations.filter(({ template }) => parametersIn(template) === fewest)
}

/** Valid responses by validator: thousands of refusals have the same body. */
const validBodies = new WeakMap<ValidateFunction, Set<string>>()
const longestCached = 2_000
const mostCached = 1_000

function faultsIn({ method, status, body }: Answer, operation: ContractMatch): string | undefined {
  if (status >= 300 && status < 400) return undefined
  const validate = validatorFor(operation, method.toLowerCase(), String(status))
  if (!validate) return undefined
  const valid = validBodies.get(validate) ?? new Set()
  if (valid.has(body)) return undefined
  if (!validate(JSON.parse(body))) {
    return ajv.errorsText(validate.errors, { separator: '\n  ' })
  }
  if (body.length <= longestCached && valid.size < mostCached) valid.add(body)
  validBodies.set(validate, valid)
  return undefined
}

const recordedOperations = new Set<string>()

/** Each process records an operation once. `npm test` builds a table from it. */
function note(line: string): void {
  const folder = process.env['TEST_ANSWERS']
  if (!folder || recordedOperations.has(line)) return
  recordedOperations.add(line)
  appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`)
}

const knownValidators = new Map<string, ValidateFunction | undefined>()

function validatorFor(
  { name, description, template }: ContractMatch,
  method: string,
  status: string,
) {
  const place = `${name} ${method} ${template} ${status}`
  if (!knownValidators.has(place))
    knownValidators.set(place, compile(name, description, method, template, status))
  return knownValidators.get(place)
}

function compile(
  name: string,
  description: Description,
  method: string,
  path: string,
  status: string,
) {
  const responses = description.paths[path]?.[method]?.responses ?? {}
  const responseKey = status in responses ? status : 'default'
  let pointer = `#/paths/${pointerPart(path)}/${method}/responses/${responseKey}`
  const response = responses[responseKey]
  if (!response) return undefined
  if (response.$ref) pointer = response.$ref
  const { content } = response.$ref ? resolve(description, response.$ref) : response
  // A CSV file has no JSON shape.
  if (content?.['text/csv']) return undefined
  const schema = content?.['application/json']?.schema ?? {}
  // Beside other keywords, a reference is not the whole schema.
  const inner = Object.keys(schema).length === 1 ? schema.$ref : undefined
  return validatorAt(
    name + (inner ?? `${pointer}/content/${pointerPart('application/json')}/schema`),
  )
}

const validators = new Map<string, ValidateFunction>()

/** Most operations share one error shape: each schema is compiled once. */
function validatorAt($ref: string): ValidateFunction {
  const validate = validators.get($ref) ?? ajv.compile({ $ref })
  validators.set($ref, validate)
  return validate
}

/** Resolves a reference such as `#/components/responses/Error`. */
function resolve(description: Description, reference: string): Response {
  const parts = reference.slice(2).split('/')
  const unescaped = parts.map((part) =>
    decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'),
  )
  let value: unknown = description
  for (const part of unescaped) value = (value as Record<string, unknown>)[part]
  return value as Response
}

/**
 * The templates of each description by method and number of segments: every response is looked up.
 */
const templates = new Map(
  descriptions.map(({ name, description: { paths } }) => {
    const templates = new Map<string, { template: string; parts: string[] }[]>()
    for (const [template, operations] of Object.entries(paths)) {
      const parts = template.split('/')
      for (const method of Object.keys(operations)) {
        const place = `${method} ${parts.length}`
        templates.set(place, [...(templates.get(place) ?? []), { template, parts }])
      }
    }
    // The literal path wins over one with parameters, as in the router.
    for (const some of templates.values())
      some.sort((a, b) => parametersIn(a.template) - parametersIn(b.template))
    return [name, templates]
  }),
)

function findTemplate(name: string, method: string, path: string): string | undefined {
  const segments = path.split('/')
  const fitting = templates
    .get(name)
    ?.get(`${method} ${segments.length}`)
    ?.find(({ parts }) =>
      parts.every((part, index) => part.startsWith('{') || part === segments[index]),
    )
  return fitting?.template
}

const pointerPart = (text: string) =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
