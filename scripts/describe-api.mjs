import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { apiTypes } from './api-types.mjs'
import { root } from './install.mjs'

const source = join(root, 'docs/openapi.json')
const programs = ['api-types.mjs', 'describe-api.mjs'].map((name) =>
  join(import.meta.dirname, name),
)
const typesOf = ['packages/web/src/generated/api.ts', 'packages/sdk/src/generated/api.ts']
const table = 'packages/sdk/src/generated/operations.ts'
const scopes = 'packages/web/src/generated/scopes.ts'
const note = join(root, 'packages/sdk/src/generated/.made-from')

/** Generates types for the web and the SDK, and the SDK's table of operations, from docs/openapi.json. */
export function describeApi() {
  const hashedFiles = [source, ...programs].map((path) => readFileSync(path))
  const sourceHash = hashedFiles
    .reduce((hash, part) => hash.update(part), createHash('sha256'))
    .digest('hex')
  const hasOutputs = [...typesOf, table, scopes].every((path) => existsSync(join(root, path)))
  if (hasOutputs && existsSync(note) && readFileSync(note, 'utf8') === sourceHash) return
  const description = JSON.parse(readFileSync(source, 'utf8'))
  for (const path of typesOf) write(path, apiTypes(description))
  write(table, operationTable(description))
  write(scopes, reservedScopes(description))
  writeFileSync(note, sourceHash)
}

function write(path, text) {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** Scopes that API keys may name although no operation requires them. */
function reservedScopes({ paths }) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const required = operations.flatMap((operation) => [
    ...(operation['x-scope'] ?? []),
    ...(operation['x-key-scopes'] ?? []),
    ...(operation['x-more-scopes'] ?? []),
  ])
  const { schema } = paths['/api_keys'].post.requestBody.content['application/json']
  const reserved = schema.properties.scopes.items.enum.filter((scope) => !required.includes(scope))
  return `// Made from docs/openapi.json by scripts/describe-api.mjs.\nexport const reservedScopes = ${JSON.stringify(reserved)} as const\n`
}

/** Maps resource and operation to method, path and access. */
function operationTable({ paths }) {
  const resources = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // The SDK has no use for pictures, redirects and webhooks.
      if (!operation.responses[200]?.content?.['application/json'] || isHook(path)) continue
      const name = camelCase(operation.tags[0])
      resources[name] ??= []
      resources[name].push(`    ${operation.operationId}: ${entryOf(method, path, operation)},`)
    }
  }
  const lines = Object.entries(resources).map(
    ([name, operations]) => `  ${name}: {\n${operations.join('\n')}\n  },`,
  )
  return `// Made from docs/openapi.json by scripts/describe-api.mjs.\nexport const resources = {\n${lines.join('\n')}\n} as const\n`
}

const isHook = (path) => path.startsWith('/webhooks/')

function entryOf(method, path, operation) {
  const parts = [method.toUpperCase(), path, accessOf(operation.security)]
  if (operation['x-idempotent']) parts.push('keyed')
  return JSON.stringify(parts.join(' '))
}

/** `public` ignores credentials, `optional` accepts them, `user` requires them. */
function accessOf(security) {
  if (security.length === 0) return 'public'
  return security.some((one) => Object.keys(one).length === 0) ? 'optional' : 'user'
}

const camelCase = (words) =>
  words.toLowerCase().replace(/ (\w)/g, (_space, letter) => letter.toUpperCase())
