import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Command, Context } from '../command.ts'
import { FailedError } from '../exit-codes.ts'

/** The service's own programs, if they are installed beside this one. */
const programs = new URL('../../../server/dist/commands/', import.meta.url)

const backup: Command = {
  name: 'backup',
  about: 'Operators: write a backup, on the machine of the service',
  parameters: ['[folder]'],
  details:
    'Run it on the machine of the service, with its environment (DATABASE_URL or DATA_DIR). It does not use the API. The folder must not exist yet; default: backups/<time>.',
  examples: ['emojid backup monday'],
  run: (context, { parameters }) => runProgram(context, 'backup', parameters),
}

const restore: Command = {
  name: 'restore',
  about: 'Operators: restore a backup into an empty database',
  parameters: ['<folder>'],
  details:
    'Run it on the machine of the service, with its environment (DATABASE_URL or DATA_DIR). It does not use the API, and never overwrites data.',
  examples: ['DATABASE_URL="$EMPTY_DATABASE" emojid restore monday'],
  run: (context, { parameters }) => runProgram(context, 'restore', parameters),
}

async function runProgram(
  { world }: Context,
  name: string,
  parameters: readonly string[],
): Promise<void> {
  const program = fileURLToPath(new URL(`${name}.js`, programs))
  if (!existsSync(program)) {
    throw new FailedError(
      `emojid ${name} needs the code of the service and npm run build. On that machine, in the folder of the service, run: node_modules/.bin/emojid ${name}`,
    )
  }
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: world.cwd,
    env: world.env,
    signal: world.signal,
    killSignal: 'SIGINT',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.pipe(world.stdout, { end: false })
  child.stderr.pipe(world.stderr, { end: false })
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (status !== 0) throw new FailedError(`The ${name} failed.`)
}

export const backupCommands = [backup, restore]
