import { type Config, readConfig } from '../config.ts'
import { createLog, type Log } from '../platform/log/log.ts'

type Command = (config: Config, log: Log, args: string[]) => Promise<void>

/**
 * Runs an operator command: on failure prints the message to standard error and exits with status
 * 1.
 */
export async function run(command: Command): Promise<void> {
  try {
    // Commands never seed the demo, so they need only DATABASE_URL.
    const config = readConfig({ SEED_DEMO: 'false', ...process.env })
    await command(config, createLog('warn'), process.argv.slice(2))
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}

export const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}
