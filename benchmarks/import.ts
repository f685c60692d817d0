// Measures an import through the command line, without and with a signed record: npm run
// bench:import
// Shorter: npm run bench:import -- IDS=2000
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cheapId } from './directory.ts'
import { report } from './report.ts'
import { setStage } from './stage.ts'

const countText = process.argv.find((argument) => argument.startsWith('IDS='))?.slice(4)
const count = Number(countText ?? 100_000)
const promised_seconds = 60

const program = fileURLToPath(new URL('../packages/cli/bin/emojid.js', import.meta.url))
const quiet = loadavg()[0]?.toFixed(2)
const admin = { email: 'admin@example.com', password: 'a password hard to guess' }
const { port, start, stop, clear } = await setStage()
const service = await start({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
const folder = mkdtempSync(join(tmpdir(), 'emojid-import-'))

await emojid(['login', '--email', admin.email], `${admin.password}\n`)
const ids = await importOf('ids.csv', 'emoji_id,email', (n) => `${cheapId(n)},${admin.email}`)
const data = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const signedImport = await importOf(
  'signed.csv',
  'emoji_id,email,0x1003',
  (n) => `${cheapId(n + count)},${admin.email},${data}|${n}`,
)
const restartMs = await measureTime(() => emojid(['import', 'signed.csv', '--restart']))
const exported = await measureTime(() => emojid(['export', 'all.csv']))
await stop(service)
await clear()
rmSync(folder, { recursive: true })

report(new URL('.', import.meta.url), 'import', {
  load_before: quiet,
  ids: count,
  promised_seconds,
  seconds: { ids_alone: ids, with_a_signed_record: signedImport, the_same_again: restartMs },
  export_of_all_seconds: exported,
})
if (Math.max(ids, signedImport) > promised_seconds) {
  process.stderr.write('Not as promised, or measured on a busy machine\n')
  process.exitCode = 1
}

function importOf(file: string, heading: string, line: (n: number) => string): Promise<number> {
  const lines = Array.from({ length: count }, (_, n) => line(n))
  writeFileSync(join(folder, file), `${[heading, ...lines].join('\n')}\n`)
  return measureTime(() => emojid(['import', file]))
}

async function measureTime(work: () => Promise<void>): Promise<number> {
  const start = Date.now()
  await work()
  return (Date.now() - start) / 1_000
}

/** Runs the command as an operator does, in a separate process. */
async function emojid(args: readonly string[], input = ''): Promise<void> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    EMOJID_API: `http://127.0.0.1:${port}/api`,
  }
  const child = spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env,
    stdio: ['pipe', 'inherit', 'inherit'],
  })
  child.stdin?.end(input)
  const status = await new Promise((resolve) => child.once('close', resolve))
  if (status !== 0) throw new Error(`emojid ${args.join(' ')} ended with ${status}`)
}
