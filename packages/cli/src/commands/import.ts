import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command, Context } from '../command.ts'
import { FailedError, UsageError } from '../exit-codes.ts'
import { createProgress } from '../rows/progress.ts'
import { type FileRow, formatOf, readRows } from '../rows/read-rows.ts'
import { openResults, type Result } from '../rows/results.ts'

type Good = Extract<FileRow, { row: unknown }>

const mostRows = 500
/** Requests are bound to a mebibyte; texts grow on the way. */
const mostCharacters = 300_000
/** While one is being carried out, the next is on its way. */
const atOnce = 2

export const importCommand: Command = {
  name: 'import',
  about: 'Operators: give and write many ids from a file',
  parameters: ['<file>'],
  details: `CSV with a heading, or JSON lines. Each row has emoji_id; an owner, which is one of user_id,
email, organization_id and pubkey; and records as JSON ([{"tag","data"}]), or in CSV
in columns that are named as their category, such as 0x1003. Without an owner the id must
be somebody's. Records take the place of all that the id has; without any they stay.

What became of each row is written to <file>.results.jsonl. Interrupted, run it again: rows
that are done are skipped, and refused ones tried again.`,
  options: {
    format: { type: 'string', value: 'format', about: 'csv or jsonl; by the name unless given' },
    'dry-run': { type: 'boolean', about: 'tell what would happen; nothing does' },
    results: { type: 'string', value: 'file', about: 'where the result of each row is written' },
    restart: { type: 'boolean', about: 'begin anew, and forget the results so far' },
  },
  examples: [
    'emojid import ids.csv --dry-run',
    'emojid import ids.csv',
    'emojid import ids.jsonl --results done.jsonl',
  ],
  async run(context, { parameters: [file = ''], text, flag }) {
    const source = resolve(context.world.cwd, file)
    if (!existsSync(source)) throw new UsageError(`There is no file ${file}.`)
    const format = formatOf(file, text('format'))
    const isTried = flag('dry-run')
    const named = text('results') ?? `${file}.${isTried ? 'dry-run' : 'results'}.jsonl`
    const path = resolve(context.world.cwd, named)
    let total = 0
    for await (const _row of readRows(source, format)) total++
    const isAnew = isTried || flag('restart')
    const results = await openResults({ path, source, isAnew })
    const skipped = results.done.size
    const progress = createProgress(context.world, total)
    const counted = () => Object.values(results.heard).reduce((sum, one) => sum + one, skipped)
    const waiting = new Set<Promise<void>>()
    const failures: unknown[] = []

    const send = (rows: Good[]) => {
      const sent: Promise<void> = sendRows(context, rows, isTried)
        .then((heard) => {
          results.add(heard)
          progress.show(counted())
        })
        .catch((error) => void failures.push(error))
        .finally(() => waiting.delete(sent))
      waiting.add(sent)
    }
    let batch: Good[] = []
    let size = 0
    for await (const one of readRows(source, format)) {
      if (failures.length > 0 || context.world.signal.aborted) break
      if (results.done.has(one.number)) continue
      if ('fault' in one) {
        const { number: row, emoji_id, fault: message } = one
        results.add([{ row, emoji_id, status: 'refused', code: 'malformed', message }])
        continue
      }
      const weight = JSON.stringify(one.row).length
      if (batch.length === mostRows || (size + weight > mostCharacters && batch.length > 0)) {
        send(batch)
        ;[batch, size] = [[], 0]
        if (waiting.size >= atOnce) await Promise.race(waiting)
      }
      batch.push(one)
      size += weight
    }
    if (batch.length > 0 && failures.length === 0 && !context.world.signal.aborted) send(batch)
    await Promise.all(waiting)
    progress.end(counted())
    finish(context, { ...results.heard, skipped, total, results: named }, { failures, isTried })
  },
}

async function sendRows({ call }: Context, rows: readonly Good[], dry_run: boolean) {
  const body = { rows: rows.map(({ row }) => row), dry_run }
  const { data } = await call((client) => client.api.operators.importEmojiIds({ body }))
  return rows.map(({ number: row, row: { emoji_id } }, place): Result => {
    const { status = 'refused', error } = data[place] ?? {}
    return { row, emoji_id, status, ...(error ?? {}) }
  })
}

type Summary = Record<Result['status'] | 'skipped' | 'total', number> & { results: string }

function finish(
  { out, world }: Context,
  summary: Summary,
  { failures, isTried }: { failures: unknown[]; isTried: boolean },
): void {
  const { granted, changed, unchanged, refused, skipped, total, results } = summary
  const known = granted + changed + unchanged + refused + skipped
  out.show({ ...summary, dry_run: isTried }, () =>
    [
      `${granted} given, ${changed} changed, ${unchanged} as they were, ${refused} refused${skipped > 0 ? `, ${skipped} done before` : ''}.`,
      ...(isTried ? ['This was a dry run: nothing happened.'] : []),
      out.faint(`Row by row: ${results}`),
    ].join('\n'),
  )
  const left = total - known
  if (world.signal.aborted || failures.length > 0) {
    const [cause] = failures
    const why = cause instanceof Error && !world.signal.aborted ? `${cause.message} ` : ''
    throw new FailedError(
      `${why}${left} of ${total} rows are left. Run the same command again to go on.`,
      { cause },
    )
  }
  if (refused > 0) throw new FailedError(`${refused} rows were refused; ${results} says why.`)
}
