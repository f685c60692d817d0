import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { blocksUnder, commandsOf, headings } from '../stress/deploy-commands.ts'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')

it('docs/operations.md lists exactly the environment variables of the service', () => {
  const sources = readdirSync(new URL('../src/', import.meta.url))
    .filter((name) => /^config.*(?<!\.test)\.ts$/.test(name))
    .map((name) => read(`../src/${name}`))
  const calls = sources.join('\n').matchAll(/'([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)'/g)
  const knownNames = [...calls].map(([, name]) => name)
  const [, table = ''] = read('../../../docs/operations.md').split('## Configuration')
  const listedNames = (table.split('\n## ')[0] ?? '')
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([A-Z\d_]+)`/g)])
    .map(([, name]) => name)

  expect(knownNames.length).toBeGreaterThan(10)
  expect(listedNames.sort()).toEqual([...new Set(knownNames)].sort())
})

it('the set-up commands are those that npm run stress:deploy last ran successfully', () => {
  const text = read('../../../docs/operations.md')
  const { as_written } = JSON.parse(read('../stress/results/deploy.json'))
  const documentedNames = Object.values(headings).flatMap((heading) => blocksUnder(text, heading))

  expect(as_written).toMatchObject({ failed: 0, commands: documentedNames.flatMap(commandsOf) })
})

it('nginx writes no token of a watch to its logs', () => {
  const conf = read('../../../deploy/nginx/emojid.conf')
  const [, events = ''] = /location = \/events \{\n([^}]*)\}/.exec(conf) ?? []
  expect(events).toMatch(/^ *access_log \S+ emojid_without_query;$/m)
  // Errors below this level, such as those of a limit or of a stopped process, name the request.
  expect(events).toMatch(/^ *error_log \S+ crit;$/m)
  const [, format = ''] = /^log_format emojid_without_query '(.*)';$/m.exec(conf) ?? []
  expect(format.match(/\$\w+/g)).toEqual([
    '$remote_addr',
    '$time_local',
    '$request_method',
    '$uri',
    '$status',
    '$body_bytes_sent',
  ])
})
