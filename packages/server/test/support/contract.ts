import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'

type Operation = { responses: Record<string, unknown> }
type Description = { paths: Record<string, Record<string, Operation>> }

const parametersIn = (template: string): number => template.split('{').length

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

type Answer = { method: string; path: string; status: number; body: string }
type Found = { name: string; description: Description; template: string }

/** Throws when an answer of the API breaks the shape that clients rely on. */
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

/** What an answer breaks, of the contract and of our own description alike. */
export const everyFaultIn = (answer: Answer): string[] =>
  operationsAt(answer).flatMap((found) => {
    const faults = faultsIn(answer, found)
    return faults === undefined ? [] : [`${found.name}: ${faults}`]
  })

/** A literal path of ours is not the contract's with a parameter in its place. */
function operationsAt({ method, path }: Answer): Found[] {
  const found = descriptions.flatMap(({ name, description }) => {
    const template = findTemplate(name, method.toLowerCase(), path)
    return template === undefined ? [] : [{ name, description, template }]
  })
  const fewest = Math.min(...found.map(({ template }) => parametersIn(template)))
  return found.filter(({ template }) => parametersIn(template) === fewest)
}

function faultsIn({ method, status, body }: Answer, found: Found): string | undefined {
  if (status >= 300 && status < 400) return undefined
  const validate = validatorFor(found, method.toLowerCase(), String(status))
  if (!validate || validate(JSON.parse(body))) return undefined
  return ajv.errorsText(validate.errors, { separator: '\n  ' })
}

const noted = new Set<string>()

/** Each process notes what it saw once; `npm test` makes a table of it. */
function note(line: string): void {
  const folder = process.env['TEST_ANSWERS']
  if (!folder || noted.has(line)) return
  noted.add(line)
  appendFileSync(join(folder, `${process.pid}.txt`), `${line}\n`)
}

const known = new Map<string, ValidateFunction | undefined>()

function validatorFor({ name, description, template }: Found, method: string, status: string) {
  const place = `${name} ${method} ${template} ${status}`
  if (!known.has(place)) known.set(place, compile(name, description, method, template, status))
  return known.get(place)
}

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

/** The templates of each description by method and number of parts: every answer is looked up. */
const templates = new Map(
  descriptions.map(({ name, description: { paths } }) => {
    const known = new Map<string, { template: string; parts: string[] }[]>()
    for (const [template, operations] of Object.entries(paths)) {
      const parts = template.split('/')
      for (const method of Object.keys(operations)) {
        const place = `${method} ${parts.length}`
        known.set(place, [...(known.get(place) ?? []), { template, parts }])
      }
    }
    // The literal path wins over one with parameters, as it does in the router.
    for (const some of known.values())
      some.sort((a, b) => parametersIn(a.template) - parametersIn(b.template))
    return [name, known]
  }),
)

function findTemplate(name: string, method: string, path: string): string | undefined {
  const given = path.split('/')
  const fitting = templates
    .get(name)
    ?.get(`${method} ${given.length}`)
    ?.find(({ parts }) =>
      parts.every((part, index) => part.startsWith('{') || part === given[index]),
    )
  return fitting?.template
}

const pointerPart = (text: string) =>
  encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))
