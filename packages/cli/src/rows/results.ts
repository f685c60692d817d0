import { createHash } from 'node:crypto'
import { appendFileSync, createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { UsageError } from '../exit-codes.ts'

export type Result = {
  row: number
  emoji_id: string
  status: 'granted' | 'changed' | 'unchanged' | 'refused'
  code?: string
  message?: string
}

type Options = { path: string; source: string; isAnew: boolean }

/**
 * What became of each row, as JSON lines: the first names the file by its hash, and so an import that
 * was interrupted goes on where it was. Of a row that stands there twice the last line counts.
 */
export async function openResults({ path, source, isAnew }: Options) {
  const sha256 = await hashOf(source)
  const done = new Set<number>()
  if (!isAnew && existsSync(path)) await readDone(path, sha256, done)
  else writeFileSync(path, `${JSON.stringify({ import_of: source, sha256 })}\n`)
  const heard = { granted: 0, changed: 0, unchanged: 0, refused: 0 }
  return {
    /** Rows that need nothing any more; refused ones are tried again. */
    done,
    heard,
    add(results: readonly Result[]) {
      for (const { status } of results) heard[status]++
      appendFileSync(path, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
    },
  }
}

async function readDone(path: string, sha256: string, done: Set<number>): Promise<void> {
  let isHeading = true
  for await (const line of createInterface({ input: createReadStream(path, 'utf8') })) {
    const read = parse(line)
    if (isHeading && (read as { sha256?: string } | undefined)?.sha256 !== sha256) {
      throw new UsageError(
        `${path} holds the results of another file, or of this one before it was changed. Give --restart, or other --results.`,
      )
    }
    isHeading = false
    const { row, status } = (read ?? {}) as Partial<Result>
    if (row === undefined) continue
    if (status === 'refused') done.delete(row)
    else done.add(row)
  }
  // Half a line is left where the power went.
  if (!readFileSync(path, 'utf8').endsWith('\n')) appendFileSync(path, '\n')
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest('hex')
}
