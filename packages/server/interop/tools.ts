import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Runs a program and returns its output. Throws with the output if it fails. */
export function run(command: string, args: string[], cwd?: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ended with ${status}:\n${stdout}\n${stderr}`)
  return stdout
}

/** Installs a missing program from Debian's packages. Needs root. */
export function needProgram(program: string, debianPackage: string): void {
  if (spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0) return
  run('apt-get', ['-qq', 'update'])
  run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', debianPackage])
}

function needPackages(folder: string, packages: string[]): void {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', '--prefix', folder, ...quiet, ...packages])
}

/** Runs `work` in a temporary folder with these npm packages, of exact versions. */
export async function withPackages<Result>(
  packages: string[],
  work: (folder: string) => Promise<Result>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-interop-'))
  try {
    needPackages(folder, packages)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
