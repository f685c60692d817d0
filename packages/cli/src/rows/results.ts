import { createHash } from 'node:crypto'
import {
  appendFileSync,
  createReadStream,
  existsSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { UsageError } from '../exit-codes.ts'
import { linesOf } from './text.ts'

export type Result = {
  row: number
  emoji_id: string
  status: 'granted' | 'changed' | 'unchanged' | 'refused'
  code?: string
  message?: string
  /** The records that a dry run would add and remove. */
  added?: RowRecord[]
  removed?: RowRecord[]
}

export type RowRecord = { tag: string; data: string }

/** The records that a dry run would change, and the first of these rows. */
export type Changes = { records_added: number; records_removed: number; first: Result[] }

const mostListed = 20

const newline = 10

/** The first line of a results file: the source, the API and the kind of run. */
type Heading = {
  import_of: string
  sha256: string
  api: string
  dry_run: boolean
  /** Missing in results of versions that counted rows without the heading. */
  replace_all: boolean | undefined
}

type Options = {
  path: string
  source: string
  api: string
  isDryRun: boolean
  isReplacingAll: boolean
  isRestart: boolean
}

/**
 * The result of each row, as JSON lines after a heading. An interrupted import resumes from it. Of
 * several lines for a row, the last counts.
 */
export async function openResults({
  path,
  source,
  api,
  isDryRun,
  isReplacingAll,
  isRestart,
}: Options) {
  assertOtherFile(path, source)
  const heading: Heading = {
    import_of: source,
    sha256: await hashOf(source),
    api,
    dry_run: isDryRun,
    replace_all: isReplacingAll,
  }
  const previous = await readPrevious(path)
  if (previous && !isRestart) assertFits(path, previous.heading, heading)
  const finishedRows = previous && !isRestart && !isDryRun ? previous.done : undefined
  // A power loss leaves half a line.
  if (!finishedRows) begin(path, heading)
  else if (readFileSync(path).at(-1) !== newline) appendFileSync(path, '\n')
  const changes: Changes = { records_added: 0, records_removed: 0, first: [] }
  const counts = { granted: 0, changed: 0, unchanged: 0, refused: 0 }
  return {
    /** Completed rows; refused ones are retried. */
    done: finishedRows ?? new Set<number>(),
    counts,
    changes,
    add(results: readonly Result[]) {
      for (const result of results) {
        const { status, added = [], removed = [] } = result
        counts[status]++
        changes.records_added += added.length
        changes.records_removed += removed.length
        const isChange = added.length + removed.length > 0
        if (isChange && changes.first.length < mostListed) changes.first.push(result)
      }
      appendFileSync(path, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
    },
  }
}

/** The results must not overwrite the source file. */
function assertOtherFile(path: string, source: string): void {
  if (!existsSync(path)) return
  const [one, other] = [statSync(path), statSync(source)]
  if (one.ino !== other.ino || one.dev !== other.dev) return
  throw new UsageError('The results can’t be written to the imported file.')
}

/** Results of another import must not skip rows, and must not be overwritten by mistake. */
function assertFits(path: string, previous: Heading, heading: Heading): void {
  const { sha256, api, dry_run, replace_all } = heading
  const instead = 'Pass --restart to overwrite them, or other --results.'
  if (previous.dry_run !== dry_run) {
    const [was, is] = dry_run ? ['a real run', 'a dry run'] : ['a dry run', 'a real run']
    throw new UsageError(`${path} holds the results of ${was}, but this is ${is}. ${instead}`)
  }
  // A dry run always starts over.
  if (dry_run) return
  if (previous.api !== api) {
    throw new UsageError(
      `${path} holds the results of an import into ${previous.api}, but this import is into ${api}. ${instead}`,
    )
  }
  if (previous.replace_all !== replace_all) {
    throw new UsageError(
      `${path} holds the results of an import ${replace_all ? 'without' : 'with'} --replace-all, or of an earlier version of this command. ${instead}`,
    )
  }
  if (previous.sha256 !== sha256) {
    throw new UsageError(
      `${path} holds the results of another file, or of an earlier version of this one. ${instead}`,
    )
  }
}

/** Undefined if the file does not exist; throws if it holds something else. */
async function readPrevious(path: string) {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  const finishedRows = new Set<number>()
  let heading: Heading | undefined
  for await (const line of linesOf(createReadStream(path, 'utf8'))) {
    const read = parse(line)
    heading ??= readHeading(path, read)
    const { row, status } = (read ?? {}) as Partial<Result>
    if (row === undefined) continue
    if (status === 'refused') finishedRows.delete(row)
    else finishedRows.add(row)
  }
  return { heading: heading ?? readHeading(path, undefined), done: finishedRows }
}

function readHeading(path: string, line: unknown): Heading {
  const heading = (line ?? {}) as Partial<Heading>
  const { import_of, sha256, api = '', dry_run = false, replace_all } = heading
  if (typeof import_of === 'string' && typeof sha256 === 'string') {
    return { import_of, sha256, api, dry_run, replace_all }
  }
  throw new UsageError(
    `${path} exists, but does not hold results of an import. Pass other --results.`,
  )
}

function begin(path: string, heading: Heading): void {
  try {
    writeFileSync(path, `${JSON.stringify(heading)}\n`)
  } catch {
    throw new UsageError(`${path} can’t be written. Pass other --results.`)
  }
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
