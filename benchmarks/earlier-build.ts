import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Packages with dependencies of their own. */
const withOwn = ['packages/server']

/** Builds the service of an earlier commit in a temporary folder, with the installed packages. */
export function buildEarlier(commit: string) {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-earlier-'))
  run(root, 'git', 'worktree', 'add', '--detach', '--force', folder, commit)
  const modules = join(root, 'node_modules')
  mkdirSync(join(folder, 'node_modules'))
  for (const name of readdirSync(modules)) {
    if (name === '@emojid') continue
    symlinkSync(join(modules, name), join(folder, 'node_modules', name))
  }
  // Relative links to the packages of the folder that they are in.
  const own = join('node_modules', '@emojid')
  cpSync(join(root, own), join(folder, own), { recursive: true, verbatimSymlinks: true })
  for (const path of withOwn) {
    symlinkSync(join(root, path, 'node_modules'), join(folder, path, 'node_modules'))
  }
  run(folder, process.execPath, 'node_modules/typescript/bin/tsc', '-b', 'packages/server')
  return {
    program: join(folder, 'packages/server/dist/main.js'),
    remove: () => run(root, 'git', 'worktree', 'remove', '--force', folder),
  }
}

function run(cwd: string, command: string, ...args: string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`)
}
