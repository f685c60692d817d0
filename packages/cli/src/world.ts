import type { Readable, Writable } from 'node:stream'

type OutputStream = Writable & { isTTY?: boolean }
type InputStream = Readable & { isTTY?: boolean; setRawMode?(isRaw: boolean): unknown }

/** The environment of the program; tests replace it. */
export type World = {
  env: Readonly<Record<string, string | undefined>>
  cwd: string
  stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  /** Ctrl-C. */
  signal: AbortSignal
}
