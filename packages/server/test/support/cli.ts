import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { run, type World } from '@emojid/cli'

type Setting = {
  env?: Record<string, string>
  /** Piped input, line by line. */
  input?: readonly string[]
  /** Keys pressed at a terminal instead. */
  keys?: string
  /** Whether the output is a terminal. */
  terminal?: boolean
  signal?: AbortSignal
  /** Called with the progress, so that a test can act then. */
  onProgress?: () => void
}

export type Machine = ReturnType<typeof machine>

/** A machine for commands: its own home and folder. */
export function machine(api: string) {
  const folder = mkdtempSync(join(tmpdir(), 'emojid-cli-'))
  const home = { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), EMOJID_API: api }

  const type = async (args: readonly string[], setting: Setting = {}) => {
    const {
      env = {},
      input = [],
      terminal = false,
      signal = new AbortController().signal,
    } = setting
    const { onProgress, keys } = setting
    const [stdout, stderr] = [
      collectOutput(terminal),
      collectOutput(onProgress !== undefined, onProgress),
    ]
    const world: World = {
      env: { ...home, ...env },
      cwd: folder,
      signal,
      stdin: keys === undefined ? Readable.from(input.map((line) => `${line}\n`)) : keyboard(keys),
      stdout: stdout.stream,
      stderr: stderr.stream,
    }
    const status = await run(args, world)
    const out = stdout.text()
    return {
      status,
      out,
      err: stderr.text(),
      json: <Shape>(): Shape => JSON.parse(out),
      lines: <Shape>(): Shape[] =>
        out
          .trim()
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line)),
    }
  }
  return {
    folder,
    type,
    path: (name: string) => join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function keyboard(keys: string) {
  const stream = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} })
  stream.write(keys)
  return stream
}

function collectOutput(isTTY: boolean, onOutput?: () => void) {
  const stream = Object.assign(new PassThrough(), { isTTY })
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
    onOutput?.()
  })
  return { stream, text: () => text }
}
