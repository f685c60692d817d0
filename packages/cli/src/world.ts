import type { Readable, Writable } from 'node:stream'

type Out = Writable & { isTTY?: boolean }
type In = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }

/** The environment of the program; tests replace it. */
export type World = {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  stdin: In
  stdout: Out
  stderr: Out
  /** Ctrl-C. */
  signal: AbortSignal
}
