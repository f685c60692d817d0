import { execFile as execFileCallback } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const execFile = promisify(execFileCallback)

export const root = fileURLToPath(new URL('../../..', import.meta.url))
export const description = join(root, 'docs/openapi.json')

/** Options of tsc. */
export const strict =
  '--noEmit --strict --skipLibCheck --target es2022 --module es2022 --moduleResolution bundler'.split(
    ' ',
  )

/** Runs a program and returns its output. Throws with the output if it fails. */
export async function run(command: string, args: string[], cwd?: string): Promise<string> {
  const { stdout } = await execFile(command, args, { cwd, maxBuffer: 2 ** 26 }).catch((error) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`)
  })
  return stdout
}

/** Installs a missing program from Debian's packages. Needs root. */
export async function needProgram(program: string, debianPackage: string): Promise<void> {
  const isInstalled = await execFile(program, ['--version']).then(Boolean, () => false)
  if (isInstalled) return
  await run('apt-get', ['-qq', 'update'])
  await run('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', debianPackage])
}

async function needPackages(folder: string, packages: string[]): Promise<void> {
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', '--prefix', folder, ...quiet, ...packages])
}

/** Runs `work` in a temporary folder with these npm packages, of exact versions. */
export async function withPackages<Result>(
  packages: string[],
  work: (folder: string) => Promise<Result>,
) {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-interop-'))
  try {
    await needPackages(folder, packages)
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
