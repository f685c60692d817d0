// Removes the types from the programs, and bundles the service: loading two thousand files took a
// third of a start. `npm run check` checks the types, which takes ten times as long.
// Again after each change, without the bundle: node scripts/build-programs.mjs --watch
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'
import { transformSync } from 'rolldown/utils'
import { root } from './install.mjs'

/** Newer syntax stays as it is; tsc refuses what Node 20 does not have. */
const options = {
  target: 'esnext',
  sourcemap: true,
  tsconfig: false,
  typescript: { rewriteImportExtensions: 'rewrite', onlyRemoveTypeImports: true },
}

const isWatching = process.argv.includes('--watch')
const written = new Set()

const packages = ['cli', 'core', 'sandbox', 'sdk', 'server']
for (const name of packages) {
  const folder = join(root, 'packages', name)
  const sources = join(folder, 'src')
  for (const path of readdirSync(sources, { recursive: true })) buildModule(folder, path)
  if (isWatching) watch(sources, { recursive: true }, (_event, path) => buildModule(folder, path))
}
if (!isWatching && !process.exitCode) {
  await bundleService(join(root, 'packages/server/dist'))
  for (const name of packages) removeOthers(join(root, 'packages', name, 'dist'))
}

function buildModule(folder, path) {
  const source = join(folder, 'src', path)
  if (!path.endsWith('.ts') || path.endsWith('.test.ts') || !existsSync(source)) return
  const { code, map, errors } = transformSync(source, readFileSync(source, 'utf8'), options)
  // The transformer replaces such a template by a helper, for inline scripts.
  if (code.includes('@oxc-project/runtime')) errors.push({ message: 'write <\\/script> here' })
  if (errors.length > 0) {
    console.error(errors.map(({ message }) => `${source}: ${message}`).join('\n'))
    process.exitCode = 1
    return
  }
  const target = join(folder, 'dist', path.replace(/\.ts$/, '.js'))
  const { version, names, mappings } = map
  const sources = [relative(dirname(target), source)]
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(`${target}.map`, JSON.stringify({ version, sources, names, mappings }))
  writeFileSync(target, `${code}//# sourceMappingURL=${basename(target)}.map\n`)
  written.add(target).add(`${target}.map`)
}

/** Replaces main.js by files that hold its modules and packages. They keep their names in stack traces. */
async function bundleService(folder) {
  const bundle = await rolldown({
    input: join(folder, 'main.js'),
    platform: 'node',
    // They read files of their own, or are not there.
    external: [/^@node-rs\/argon2/, /^@fastify\/swagger-ui/, /^graphile-worker/, /^pg(-native)?$/],
    plugins: [{ name: 'places', transform: keepPlace, renderChunk: escapeText }],
  })
  const { output } = await bundle.write({
    dir: folder,
    chunkFileNames: 'main-[name].js',
    comments: false,
    // Parsing all packages at once took 10 MB that are never given back.
    codeSplitting: {
      groups: [{ name: 'packages', test: /node_modules/, maxSize: 900_000, entriesAware: true }],
    },
    strictExecutionOrder: true,
  })
  for (const { fileName } of output) written.add(join(folder, fileName))
  rmSync(join(folder, 'main.js.map'))

  /** A module finds its files as if it had not moved. */
  function keepPlace(code, id) {
    if (!id.startsWith(folder) || !code.includes('import.meta.url')) return
    const place = `new URL(${JSON.stringify(`./${relative(folder, id)}`)}, import.meta.url).href`
    return { code: code.replaceAll('import.meta.url', place), map: null }
  }
}

/** V8 stores texts with one other character in twice the room. */
function escapeText(code) {
  const toEscape = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return { code: code.replace(/[^\0-\x7f]/g, toEscape), map: null }
}

/** Modules whose sources are gone. The demonstration wallet is made by scripts/build-pages.mjs. */
function removeOthers(folder) {
  for (const path of readdirSync(folder, { recursive: true })) {
    const file = join(folder, path)
    if (/\.js(\.map)?$/.test(path) && !path.startsWith('browser/') && !written.has(file))
      rmSync(file)
  }
}
