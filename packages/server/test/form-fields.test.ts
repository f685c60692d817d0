import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { profileLengths, textLengths } from '@emojid/core'

import { describe, expect, it } from 'vitest'
import { parseAst } from 'vitest/node'
import { describedOperations, type Schema } from './support/from-schema.ts'

type Bounds = Pick<Schema, 'minLength' | 'maxLength' | 'pattern'>
type Field = {
  file: string
  name: string | undefined
  bounds: Bounds
  constant: string | undefined
}
type Member = Bounds & { name: string }
type Node = { type: string; start: number; end: number } & Record<string, unknown>

const packages = fileURLToPath(new URL('../..', import.meta.url))
const web = join(packages, 'web/src')
const server = join(packages, 'server/src')
const read = (...path: string[]) => readFileSync(join(...path), 'utf8')
const filesIn = (folder: string, pattern: RegExp) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => pattern.test(file) && !/\.test\.tsx?$/.test(file),
  )

/** Fields whose text is not sent to an operation as it is, with the reason. */
const exceptions = {
  'pages/admin/parts/id-finder.tsx': 'is parsed in the browser',
  'pages/orders/invoice.tsx': 'stays in the browser',
  'pages/account/id/page-data/profile-editor.tsx': 'becomes a record, which the core checks',
}

/** The texts that each operation takes, by method and path. */
const membersOf = new Map(
  describedOperations().map(({ method, path, parameters, body }) => [
    `${method} ${path}`,
    [
      ...parameters.flatMap(({ name, schema }) => textsIn(schema, name)),
      ...(body ? textsIn(body, '') : []),
    ],
  ]),
)

function textsIn(schema: Schema, name: string): Member[] {
  const { anyOf = [], items, properties = {}, type, minLength, maxLength, pattern } = schema
  return [
    ...(type === 'string' ? [{ name, ...bounded({ minLength, maxLength, pattern }) }] : []),
    ...[...anyOf, ...(items ? [items] : [])].flatMap((part) => textsIn(part, name)),
    ...Object.entries(properties).flatMap(([member, part]) => textsIn(part, member)),
  ]
}

/** Without members that are absent. */
function bounded(bounds: { [Name in keyof Bounds]: Bounds[Name] | undefined }): Bounds {
  return Object.fromEntries(Object.entries(bounds).filter(([, bound]) => bound !== undefined))
}

/** The texts that the page of a file sends: of its queries and those of the folders above it. */
function membersOfPage(file: string): Member[] {
  const operations: string[] = []
  for (let folder = dirname(file); folder.includes('/'); folder = dirname(folder)) {
    const queries = join(web, folder, 'queries.ts')
    const calls = existsSync(queries) ? read(queries) : ''
    for (const [, method, path] of calls.matchAll(/\bapi\.([A-Z]+)\(\s*'([^']+)'/g))
      operations.push(`${method} ${path}`)
  }
  // Parts of several pages, which have no queries.
  if (operations.length === 0) return [...membersOf.values()].flat()
  return operations.flatMap((operation) => membersOf.get(operation) ?? [])
}

function* nodesIn(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) yield value as Node
  for (const part of Object.values(value)) yield* nodesIn(part)
}

/** The text fields of the browser app that have a bound. */
function fieldsOfApp(): Field[] {
  return filesIn(web, /\.tsx$/).flatMap((file) => {
    const text = read(web, file)
    const source = ({ start, end }: Node) => text.slice(start, end)
    return [...nodesIn(parseAst(text, { lang: 'tsx' }))]
      .filter(({ type }) => type === 'JSXOpeningElement')
      .map((element) => source(element))
      .filter((element) => /^<(Field|TextArea|input|textarea)\b/.test(element))
      .map((element) => ({ file, ...readField(element) }))
  })
}

/** The text fields of the server's pages that have a bound. */
function fieldsOfSites(): Field[] {
  return filesIn(join(server, 'sites'), /\.ts$/).flatMap((file) =>
    [...read(server, 'sites', file).matchAll(/<(?:input|textarea)\b[^>]*>/g)].map(([element]) => ({
      file,
      ...readField(element),
    })),
  )
}

function readField(element: string): Omit<Field, 'file'> {
  const constant = /\btextLengths\.(\w+)/.exec(element)?.[1] as keyof typeof textLengths | undefined
  const profile = /\bprofileLengths\.(\w+)/.exec(element)?.[1] as
    | keyof typeof profileLengths
    | undefined
  const maxLength = /\bmaxlength=\W*(\d+)/i.exec(element)?.[1]
  return {
    name: /problem\w*\S*in\('(\w+)'\)/i.exec(element)?.[1] ?? /\bname="(\w+)"/.exec(element)?.[1],
    constant,
    bounds: {
      ...(constant && textLengths[constant]),
      ...(profile && { maxLength: profileLengths[profile] }),
      ...(maxLength ? { maxLength: Number(maxLength) } : {}),
      ...bounded({ pattern: /\bpattern="([^"]*)"/.exec(element)?.[1] }),
    },
  }
}

/** Fields permit spaces around the text, which the page removes, and escape for the flag `v`. */
const plain = (pattern: string) =>
  pattern.replaceAll(/^\^|\$$|^\\s\*|\\s\*$|^\.\*|\.\*$|[()?]/g, '').replaceAll('\\-', '-')

function agrees(field: Bounds, member: Bounds): boolean {
  if (field.minLength !== member.minLength || field.maxLength !== member.maxLength) return false
  return field.pattern === undefined || plain(field.pattern) === plain(member.pattern ?? '')
}

/** Bounds that no schema has, because a rule counts the characters in its own way. */
const constantsOfRules = new Set(
  filesIn(join(server, 'features'), /\/rules\.ts$/).flatMap((file) =>
    [...read(server, 'features', file).matchAll(/\btextLengths\.(\w+)/g)].map(([, name]) => name),
  ),
)

function isKept({ name, bounds, constant }: Field, members: readonly Member[]): boolean {
  if (constantsOfRules.has(constant)) return true
  const namesakes = members.filter((member) => member.name === name)
  if (namesakes.length === 0) return members.some((member) => agrees(bounds, member))
  return namesakes.some((member) => agrees(bounds, member))
}

const isBounded = ({ bounds }: Field) => Object.keys(bounds).length > 0
const describeField = ({ file, name, bounds }: Field) => `${file} ${name} ${JSON.stringify(bounds)}`

describe('a bound of a text field', () => {
  it('a bound of a text field is in the browser app a bound of an operation to which the page sends it', () => {
    const fields = fieldsOfApp().filter(isBounded)
    const broken = fields.filter(
      (field) => !(field.file in exceptions) && !isKept(field, membersOfPage(field.file)),
    )
    expect(broken.map(describeField)).toEqual([])
    expect(fields.length).toBeGreaterThan(30)
    const files = new Set(fields.map(({ file }) => file))
    expect(Object.keys(exceptions).filter((file) => !files.has(file))).toEqual([])
  })

  it('a bound of a text field is on pages of the server a bound of an operation with the same member', () => {
    const fields = fieldsOfSites().filter(isBounded)
    const members = [...membersOf.values()].flat()
    // The name of an id is parsed, however long it is.
    const broken = fields.filter((field) => field.name !== 'svc' && !isKept(field, members))
    expect(broken.map(describeField)).toEqual([])
    expect(fields.length).toBeGreaterThan(8)
  })
})
