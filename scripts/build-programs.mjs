// Removes the types from the programs. `npm run check` checks them, which takes ten times as long.
// Again after each change: node scripts/build-programs.mjs --watch
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
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

for (const name of ['cli', 'core', 'sandbox', 'sdk', 'server']) {
  const folder = join(root, 'packages', name)
  const sources = join(folder, 'src')
  for (const path of readdirSync(sources, { recursive: true })) buildModule(folder, path)
  if (isWatching) watch(sources, { recursive: true }, (_event, path) => buildModule(folder, path))
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
}
