import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem, type } from 'node:os'
import { fileURLToPath } from 'node:url'

type Figures = Record<string, unknown>

/** The environment of the figures. Without it they cannot be compared. */
const machine = () => ({
  processor: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'} (${process.arch})`,
  memory_gib: Math.round(totalmem() / 2 ** 30),
  system: type(),
  node: process.version,
})

/** Writes the figures of the last run beside the program, and prints them. */
export function report(folder: URL, name: string, figures: Figures): void {
  const result = { measured_at: new Date().toISOString(), machine: machine(), ...figures }
  const text = `${JSON.stringify(result, null, 2)}\n`
  writeFileSync(fileURLToPath(new URL(`results/${name}.json`, folder)), text)
  process.stdout.write(text)
}

/** The time of all ended programs that this one started. Every Linux counts in hundredths. */
export function processorSeconds(): number {
  const afterName = readFileSync('/proc/self/stat', 'utf8').split(') ')[1] ?? ''
  const [user = 0, system = 0] = afterName.split(' ').slice(13, 15).map(Number)
  return (user + system) / 100
}
