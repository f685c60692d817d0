import { run } from './run.ts'

const interruption = new AbortController()
process.once('SIGINT', () => interruption.abort(new Error('Interrupted')))
// The reader may close the pipe, as `head` does.
process.stdout.on('error', () => process.exit(0))

const { env, stdin, stdout, stderr } = process
process.exitCode = await run(process.argv.slice(2), {
  env,
  stdin,
  stdout,
  stderr,
  cwd: process.cwd(),
  signal: interruption.signal,
})
// A terminal that was read from keeps the process alive.
stdin.unref?.()
