import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeApi } from './describe-api.mjs'
import { root } from './install.mjs'

/** Each has the program that makes it, and what that program reads. */
const parts = {
  'packages/server/dist/.made-from': {
    program: 'scripts/build-programs.mjs',
    sources: ['cli', 'core', 'sandbox', 'sdk', 'server'].map((name) => `packages/${name}/src`),
  },
  'packages/web/dist/.made-from': {
    program: 'scripts/build-pages.mjs',
    sources: [
      ...['web/src', 'core/src', 'sdk/src', 'server/browser'].map((path) => `packages/${path}`),
      'packages/web/index.html',
      'packages/web/vite.config.ts',
    ],
  },
  'packages/server/art/.made-from': {
    program: 'packages/server/programs/make-pictures.cjs',
    sources: ['packages/core/data/emoji-set.v1.json'],
  },
}

/** Makes, at the same time, what changed. The hash of its sources stands in its note. */
export async function build() {
  describeApi()
  await Promise.all(
    Object.entries(parts).map(async ([note, { program, sources }]) => {
      const file = join(root, note)
      const sourceHash = hashOf([...sources, program, 'docs/openapi.json', 'package-lock.json'])
      if (existsSync(file) && readFileSync(file, 'utf8') === sourceHash) return
      await runProgram(program)
      writeFileSync(file, sourceHash)
    }),
  )
}

/** In a process of its own: the service must not keep the memory of the tools. */
async function runProgram(program) {
  const options = { cwd: root, stdio: 'inherit', env: { ...process.env, NODE_ENV: 'production' } }
  const [status] = await once(spawn(process.execPath, [program], options), 'exit')
  if (status !== 0) process.exit(status ?? 1)
}

function hashOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths.flatMap(filesUnder).sort()) {
    if (/^packages\/(web|sdk)\/src\/generated\//.test(path) || path.endsWith('.test.ts')) continue
    hash.update(path).update(readFileSync(join(root, path)))
  }
  return hash.digest('hex')
}

function filesUnder(path) {
  if (/\.[\w-]+$/.test(path)) return [path]
  const entries = readdirSync(join(root, path), { withFileTypes: true })
  return entries.flatMap(({ name }) => filesUnder(`${path}/${name}`))
}
