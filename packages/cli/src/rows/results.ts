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
}

const newline = 10

/** The first line of a results file: what was imported, where to, and whether it was only tried. */
type Heading = { import_of: string; sha256: string; api: string; dry_run: boolean }

type Options = { path: string; source: string; api: string; isTried: boolean; isAnew: boolean }

/**
 * What became of each row, as JSON lines behind a heading, by which an import that was interrupted goes on
 * where it was. Of a row that stands there twice the last line counts.
 */
export async function openResults({ path, source, api, isTried, isAnew }: Options) {
  assertApart(path, source)
  const heading: Heading = {
    import_of: source,
    sha256: await hashOf(source),
    api,
    dry_run: isTried,
  }
  const kept = await readKept(path)
  if (kept && !isAnew) assertFits(path, kept.heading, heading)
  const done = kept && !isAnew && !isTried ? kept.done : undefined
  // Half a line is left where the power went.
  if (!done) begin(path, heading)
  else if (readFileSync(path).at(-1) !== newline) appendFileSync(path, '\n')
  const heard = { granted: 0, changed: 0, unchanged: 0, refused: 0 }
  return {
    /** Rows that need nothing any more; refused ones are tried again. */
    done: done ?? new Set<number>(),
    heard,
    add(results: readonly Result[]) {
      for (const { status } of results) heard[status]++
      appendFileSync(path, results.map((result) => `${JSON.stringify(result)}\n`).join(''))
    },
  }
}

/** Results would take the place of what is to be imported. */
function assertApart(path: string, source: string): void {
  if (!existsSync(path)) return
  const [one, other] = [statSync(path), statSync(source)]
  if (one.ino !== other.ino || one.dev !== other.dev) return
  throw new UsageError('The results cannot be written into the file that is imported.')
}

/** Results of another import are no reason to leave rows out, and are not lost by mistake. */
function assertFits(path: string, kept: Heading, { sha256, api, dry_run }: Heading): void {
  const instead = 'Give --restart to overwrite them, or other --results.'
  if (kept.dry_run !== dry_run) {
    const [was, is] = dry_run ? ['a real run', 'a dry run'] : ['a dry run', 'a real run']
    throw new UsageError(`${path} holds the results of ${was}, and this is ${is}. ${instead}`)
  }
  // A dry run begins anew each time.
  if (dry_run) return
  if (kept.api !== api) {
    throw new UsageError(
      `${path} holds the results of an import into ${kept.api}, and this is one into ${api}. ${instead}`,
    )
  }
  if (kept.sha256 !== sha256) {
    throw new UsageError(
      `${path} holds the results of another file, or of this one before it was changed. ${instead}`,
    )
  }
}

/** Undefined where nothing is; throws when it is the file of something else. */
async function readKept(path: string) {
  if (!existsSync(path) || statSync(path).size === 0) return undefined
  const done = new Set<number>()
  let heading: Heading | undefined
  for await (const line of linesOf(createReadStream(path, 'utf8'))) {
    const read = parse(line)
    heading ??= readHeading(path, read)
    const { row, status } = (read ?? {}) as Partial<Result>
    if (row === undefined) continue
    if (status === 'refused') done.delete(row)
    else done.add(row)
  }
  return { heading: heading ?? readHeading(path, undefined), done }
}

function readHeading(path: string, line: unknown): Heading {
  const { import_of, sha256, api = '', dry_run = false } = (line ?? {}) as Partial<Heading>
  if (typeof import_of === 'string' && typeof sha256 === 'string') {
    return { import_of, sha256, api, dry_run }
  }
  throw new UsageError(`${path} is there, and holds no results of an import. Give other --results.`)
}

function begin(path: string, heading: Heading): void {
  try {
    writeFileSync(path, `${JSON.stringify(heading)}\n`)
  } catch {
    throw new UsageError(`${path} cannot be written. Give other --results.`)
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
