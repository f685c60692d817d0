import { existsSync, readFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { report } from '../../../benchmarks/report.ts'
import type { Findings } from './account-stage.ts'

/** Options from the command line, such as KILLS=10. */
const options = new Map(process.argv.slice(3).map((text) => text.split('=', 2) as [string, string]))
const mostTold = 10

export function sizeOf(name: string, fallback: number): number {
  const value = Number(options.get(name) ?? fallback)
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} takes a whole number.`)
  return value
}

export const textOf = (name: string): string => options.get(name) ?? ''

/** Measures all parts, or those named by ONLY. The other parts keep their earlier figures. */
export async function runParts(
  name: string,
  parts: Record<string, () => Promise<Findings>>,
): Promise<void> {
  const only = options.get('ONLY')?.split(',') ?? Object.keys(parts)
  const unknown = only.filter((part) => !(part in parts))
  if (unknown.length > 0) throw new Error(`ONLY takes ${Object.keys(parts).join(', ')}.`)
  const earlierFigures = figuresOf(name)
  const figures: Record<string, unknown> = {}
  const broken: string[] = []
  for (const [part, measure] of Object.entries(parts)) {
    if (!only.includes(part)) {
      if (part in earlierFigures) figures[part] = earlierFigures[part]
      continue
    }
    const measured = {
      measured_at: new Date().toISOString(),
      load_before: loadavg()[0]?.toFixed(2),
    }
    const findings = await measure()
    figures[part] = { ...measured, ...findings.figures }
    broken.push(...findings.broken.slice(0, mostTold).map((sentence) => `${part}: ${sentence}`))
  }
  report(new URL('.', import.meta.url), name, figures)
  if (broken.length > 0) {
    process.stderr.write(`Not as promised, or measured on a busy machine:\n${broken.join('\n')}\n`)
    process.exitCode = 1
  }
}

/** The figures of an earlier run. */
function figuresOf(name: string): Record<string, unknown> {
  const file = new URL(`results/${name}.json`, import.meta.url)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
}
