import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command, Context } from '../command.ts'
import { FailedError, UsageError } from '../exit-codes.ts'
import { createParts, type Good } from '../rows/parts.ts'
import { createProgress } from '../rows/progress.ts'
import { type FileRow, formatOf, readRows } from '../rows/read-rows.ts'
import { type Changes, openResults, type Result, type RowRecord } from '../rows/results.ts'
import { sendPart } from '../rows/send-part.ts'
import { survey } from '../rows/survey.ts'

/** The next part is sent while one is being processed. */
const atOnce = 2

export const importCommand: Command = {
  name: 'import',
  about: 'Operators: assign and write many ids from a file',
  parameters: ['<file>'],
  details: `CSV with a heading, JSON lines, or a JSON list. Each row has emoji_id; an owner, which is
one of user_id, email (confirmed by its account), organization_id and pubkey; and records as
JSON ([{"tag","data"}]), or in CSV in columns named after their category, such as 0x1003.
CSV cells are separated by commas, semicolons or tabs. Without an owner, the id must be
registered. An id that occurs more than once in the file is refused in all its rows.

A record replaces the records of its own category; all other records of the id stay, also
those of empty cells. With --replace-all, the records of a row are all that its id shall
have. The dry run shows the records that each row adds and removes.

The result of each row is written to <file>.results.jsonl. If interrupted, run it again: done
rows are skipped, and refused ones are retried.`,
  options: {
    format: {
      type: 'string',
      value: 'format',
      about: 'csv, json or jsonl; default: by the file name',
    },
    'dry-run': { type: 'boolean', about: 'show the outcome without changing anything' },
    'replace-all': {
      type: 'boolean',
      about: 'remove all records of the ids that the file does not have',
    },
    results: { type: 'string', value: 'file', about: 'where the result of each row is written' },
    reason: { type: 'string', value: 'text', about: 'the reason, for the audit log' },
    restart: { type: 'boolean', about: 'start over and discard earlier results' },
  },
  examples: [
    'emojid import ids.csv --dry-run',
    'emojid import ids.csv --reason "The directory we bought"',
    'emojid import ids.jsonl --results done.jsonl',
  ],
  async run(context, { parameters: [file = ''], text, flag }) {
    const source = resolve(context.world.cwd, file)
    if (!statSync(source, { throwIfNoEntry: false })?.isFile()) {
      throw new UsageError(`The file ${file} does not exist.`)
    }
    const format = formatOf(file, text('format'))
    const isDryRun = flag('dry-run')
    const reason = text('reason')
    const isReplacingAll = flag('replace-all')
    const named = text('results') ?? `${file}.${isDryRun ? 'dry-run' : 'results'}.jsonl`
    const path = resolve(context.world.cwd, named)
    const { total, repeated } = await survey(source, format)
    if (total === 0) throw new UsageError(`${file} has no rows.`)
    const kind = { isDryRun, isReplacingAll, isRestart: flag('restart') }
    const settings = { path, source, api: context.api, ...kind }
    const results = await openResults(settings)
    const skippedCount = [...results.done].filter((row) => !repeated.has(row)).length
    const progress = createProgress(context.world, total)
    const countRows = () =>
      Object.values(results.counts).reduce((sum, one) => sum + one, skippedCount)
    const openTasks = new Set<Promise<void>>()
    const failures: unknown[] = []
    const isOver = () => failures.length > 0 || context.world.signal.aborted

    const send = async (rows: Good[]) => {
      if (rows.length === 0 || isOver()) return
      const sent: Promise<void> = sendPart(context, rows, {
        dry_run: isDryRun,
        replace_all: isReplacingAll,
        ...(reason ? { reason } : {}),
      })
        .then((answer) => {
          results.add(answer)
          progress.show(countRows())
        })
        .catch((error) => void failures.push(error))
        .finally(() => openTasks.delete(sent))
      openTasks.add(sent)
      if (openTasks.size >= atOnce) await Promise.race(openTasks)
    }
    const parts = createParts()
    for await (const one of readRows(source, format)) {
      if (isOver()) break
      const refusal = refusalOf(one, repeated)
      if (refusal) results.add([refusal])
      else if ('row' in one && !results.done.has(one.number)) await send(parts.add(one))
    }
    await send(parts.take())
    await Promise.all(openTasks)
    progress.end(countRows())
    finish(
      context,
      { ...results.counts, skipped: skippedCount, total, results: named },
      { failures, ...(isDryRun ? { changes: results.changes } : {}) },
    )
  },
}

/** Rows that are never sent. */
function refusalOf(one: FileRow, repeated: ReadonlyMap<number, string>): Result | undefined {
  const { number: row } = one
  const { emoji_id } = 'row' in one ? one.row : one
  const twice = repeated.get(row)
  if (twice) return { row, emoji_id, status: 'refused', code: 'repeated', message: twice }
  if (!('fault' in one)) return undefined
  return { row, emoji_id, status: 'refused', code: 'malformed', message: one.fault }
}

/** One line per record that a row adds or removes. */
function linesOf({ row, emoji_id, added = [], removed = [] }: Result): string[] {
  const line = (sign: string) => (record: RowRecord) =>
    `  row ${row}  ${emoji_id}  ${sign} ${record.tag} ${record.data}`
  return [...removed.map(line('−')), ...added.map(line('+'))]
}

type Summary = Record<Result['status'] | 'skipped' | 'total', number> & { results: string }

function finish(
  { out, world }: Context,
  summary: Summary,
  { failures, changes }: { failures: unknown[]; changes?: Changes },
): void {
  const { granted, changed, unchanged, refused, skipped, total, results } = summary
  const finishedCount = granted + changed + unchanged + refused + skipped
  const { records_added = 0, records_removed = 0, first = [] } = changes ?? {}
  const counts = changes ? { records_added, records_removed } : {}
  out.show({ ...summary, dry_run: changes !== undefined, ...counts }, () => [
    `${granted} granted, ${changed} changed, ${unchanged} unchanged, ${refused} refused${skipped > 0 ? `, ${skipped} done before` : ''}.`,
    ...(changes
      ? [
          ...first.flatMap(linesOf),
          `The import would add ${records_added} records and remove ${records_removed}.`,
          'This was a dry run: nothing changed.',
        ]
      : []),
    out.faint(`Results by row: ${results}`),
  ])
  const rest = total - finishedCount
  if (world.signal.aborted || failures.length > 0) {
    const [cause] = failures
    const reason = cause instanceof Error && !world.signal.aborted ? `${cause.message} ` : ''
    throw new FailedError(
      `${reason}${rest} of ${total} rows are left. Run the same command again to continue.`,
      { cause },
    )
  }
  if (refused > 0)
    throw new FailedError(`${refused} rows were refused. See ${results} for the reasons.`)
}
