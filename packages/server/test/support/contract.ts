import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Operation = { responses: Record<string, unknown> }
type Description = { paths: Record<string, Record<string, Operation>> }

const read = (path: string): Description =>
  JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** What shipped wallets read comes first; operations that are ours alone follow our own description. */
const descriptions = [
  { name: 'contract', description: read('../contract/openapi.json') },
  { name: 'ours', description: read('../../../../docs/openapi.json') },
]

const ajv = new Ajv2020({ strict: false, allErrors: true })
formats.default(ajv)
ajv.addFormat('int32', true).addFormat('int64', true).addFormat('double', true)
for (const { name, description } of descriptions) ajv.addSchema(description, name)

/** Throws when an answer of the API breaks the shape that clients rely on. */
export function assertKeepsContract(answer: {
  method: string
  path: string
  status: number
  body: string
}): void {
  const { method, path, status, body } = answer
  if (status >= 300 && status < 400) return
  const validate = validatorFor(method.toLowerCase(), path, String(status))
  if (!validate) return
  if (!validate(JSON.parse(body))) {
    const faults = ajv.errorsText(validate.errors, { separator: '\n  ' })
    throw new Error(`${method} ${path} ${status} breaks the contract:\n  ${faults}\n${body}`)
  }
}

const known = new Map<string, ValidateFunction | undefined>()

function validatorFor(method: string, path: string, status: string) {
  const found = descriptions.flatMap(({ name, description }) => {
    const template = findTemplate(description, method, path)
    return template === undefined ? [] : [{ name, description, template }]
  })
  // A literal path of ours is not the contract's with a parameter in its place.
  const [closest] = found.sort((a, b) => parametersIn(a.template) - parametersIn(b.template))
  if (!closest) return undefined
  const { name, description, template } = closest
  const place = `${name} ${method} ${template} ${status}`
  if (!known.has(place)) known.set(place, compile(name, description, method, template, status))
  return known.get(place)
}

const parametersIn = (template: string): number => template.split('{').length

function compile(
  name: string,
  { paths }: Description,
  method: string,
  path: string,
  status: string,
) {
  const responses = paths[path]?.[method]?.responses ?? {}
  const chosen = status in responses ? status : 'default'
  let pointer = `#/paths/${pointerPart(path)}/${method}/responses/${chosen}`
  const response = responses[chosen] as { $ref?: string } | undefined
  if (!response) return undefined
  if (response.$ref) pointer = response.$ref
  return ajv.compile({
    $ref: `${name}${pointer}/content/${pointerPart('application/json')}/schema`,
  })
}

/** The literal path wins over one with parameters, as it does in the router. */
function findTemplate({ paths }: Description, method: string, path: string): string | undefined {
  const parts = path.split('/')
  return Object.keys(paths)
    .filter((template) => paths[template]?.[method])
    .filter((template) => {
      const wanted = template.split('/')
      return (
        wanted.length === parts.length &&
        wanted.every((part, index) => part.startsWith('{') || part === parts[index])
      )
    })
    .sort((a, b) => a.split('{').length - b.split('{').length)[0]
}

const pointerPart = (text: string) =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
