import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

/** One line of the file: one atomic write. `null` deletes the object. */
export type Entry = [kind: string, id: string, value: unknown]

export type Journal = {
  /** The entries of earlier runs, oldest first. */
  entries: Entry[]
  /** Rewrites the file. Until then it is only read, since another process may own it. */
  begin(entries: Iterable<Entry>): void
  append(entries: readonly Entry[]): void
  close(): void
}

/**
 * An append-only file. The operating system has a line before the change is reported, so a killed
 * process loses at most the line it was writing.
 */
export function openJournal(dataDir: string): Journal {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const file = join(dataDir, 'sandbox.jsonl')
  const entries = readLines(file)
  let target: { descriptor: number; size: number } | undefined

  return {
    entries,
    begin(all) {
      const fresh = `${file}.new`
      rmSync(fresh, { force: true })
      const descriptor = openSync(fresh, 'a', 0o600)
      for (const entry of all) writeAll(descriptor, `${JSON.stringify([entry])}\n`)
      fsyncSync(descriptor)
      renameSync(fresh, file)
      target = { descriptor, size: fstatSync(descriptor).size }
    },
    append(addedEntries) {
      if (!target) throw new Error('The sandbox has not started.')
      const { descriptor, size } = target
      try {
        target.size = size + writeAll(descriptor, `${JSON.stringify(addedEntries)}\n`)
      } catch (error) {
        // Half a line, as on a full disk, must not stand before the next one.
        ftruncateSync(descriptor, size)
        throw error
      }
    },
    close: () => target && closeSync(target.descriptor),
  }
}

function readLines(file: string): Entry[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  const lines = text.split('\n')
  // A last line without a line break was cut off: it never happened.
  lines.pop()
  return lines.flatMap((line, index) => {
    try {
      return JSON.parse(line) as Entry[]
    } catch {
      throw new Error(`Line ${index + 1} of ${file} is damaged. Remove the file to start over.`)
    }
  })
}

function writeAll(descriptor: number, text: string): number {
  const bytes = Buffer.from(text)
  for (let writtenCount = 0; writtenCount < bytes.length; ) {
    writtenCount += writeSync(descriptor, bytes, writtenCount)
  }
  return bytes.length
}
