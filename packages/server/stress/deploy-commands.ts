import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Systemd } from './deploy-systemd.ts'

/** The sections of docs/operations.md that are run. */
export const headings = {
  one: 'One machine, in five steps',
  several: 'Several processes with a primary and a replica',
}

/** The command blocks below a heading, in order. */
export function blocksUnder(text: string, heading: string): string[] {
  const [, section] = text.split(`\n## ${heading}\n`)
  if (!section) throw new Error(`docs/operations.md has no heading “${heading}”`)
  const [own = ''] = section.split('\n## ')
  const blocks = [...own.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block)
  if (blocks.length === 0) throw new Error(`There are no commands under “${heading}”`)
  return blocks
}

/** Runs blocks in one shell: variables persist, and the first failure stops. */
export function runner(systemd: Systemd) {
  const ran: string[] = []
  const warnings: string[] = []
  const folder = mkdtempSync(join(tmpdir(), 'emojid-deploy-'))
  const variablesFile = join(folder, 'variables')
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

  return {
    ran,
    warnings,
    /** `fillIn` replaces placeholders with this machine's values. */
    async run(block: string, fillIn = (text: string) => text): Promise<void> {
      process.stdout.write(`${block.replaceAll(/^/gm, '$ ')}\n`)
      const script = `set -euo pipefail\n[ ! -f ${variablesFile} ] || . ${variablesFile}\n${fillIn(block)}\nexport -p > ${variablesFile}`
      const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
        cwd: '/',
        encoding: 'utf8',
        maxBuffer: 100_000_000,
        env: {
          HOME: '/root',
          LANG: 'C.UTF-8',
          DEBIAN_FRONTEND: 'noninteractive',
          PATH: `${systemd.folder}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        },
      })
      if (status !== 0)
        throw new Error(`This failed:\n${block}\n${tailOf(stdout)}${tailOf(stderr)}`)
      warnings.push(...stderr.split('\n').filter((line) => /\[(warn|emerg)\]/.test(line)))
      ran.push(...commandsOf(block))
      await systemd.doWhatWasAsked()
    },
  }
}

/** Normalizes commands regardless of line breaks. */
export const commandsOf = (block: string): string[] =>
  block
    .replaceAll(/\\\n\s*/g, '')
    .trim()
    .split('\n')

const tailOf = (text: string): string => text.split('\n').slice(-20).join('\n')
