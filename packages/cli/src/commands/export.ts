import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { Command, Context } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { toJson } from '../output.ts'
import { toCsv } from '../rows/csv.ts'
import { type Format, formatOf, type Row } from '../rows/read-rows.ts'

const columns = ['emoji_id', 'user_id', 'organization_id', 'pubkey', 'records'] as const

export const exportCommand: Command = {
  name: 'export',
  about: 'Operators: write all ids and their records to a file',
  parameters: ['[file]'],
  details:
    'In the format of emojid import: CSV, JSON lines, or (json) one JSON list. Without a file, JSON lines go to standard output. The file appears when it is complete; an existing file stays without --overwrite.',
  options: {
    format: {
      type: 'string',
      value: 'format',
      about: 'csv, json or jsonl; default: by the file name',
    },
    overwrite: { type: 'boolean', about: 'replace the file if it exists' },
  },
  examples: ['emojid export all.csv', 'emojid export --format jsonl'],
  async run(context, { parameters: [file], text, flag }) {
    const format = file ? formatOf(file, text('format')) : formatOf('.jsonl', text('format'))
    if (!file) {
      await writeAll(context, context.world.stdout, format)
      return
    }
    const path = resolve(context.world.cwd, file)
    if (existsSync(path) && !flag('overwrite')) {
      throw new UsageError(`${file} exists. Pass --overwrite to replace it, or another name.`)
    }
    const partial = `${path}.part`
    const target = createWriteStream(partial, { mode: 0o600 })
    const openEvent = new Promise((done, fail) => target.once('open', done).once('error', fail))
    await openEvent.catch(() => {
      throw new UsageError(`${file} can’t be written.`)
    })
    try {
      const count = await writeAll(context, target, format)
      target.end()
      await finished(target)
      await rename(partial, path)
      context.out.show({ file, ids: count }, () => `Wrote ${count} ids to ${file}.`)
    } catch (error) {
      target.destroy()
      await rm(partial, { force: true })
      throw error
    }
  },
}

/** The text before all rows, between two rows, and after the last. */
const framesOf: Record<Format, readonly [string, string, string]> = {
  csv: [`${toCsv(columns)}\n`, '\n', '\n'],
  json: ['[\n', ',\n', '\n]\n'],
  jsonl: ['', '\n', '\n'],
}

async function writeAll({ call, world }: Context, target: Writable, format: Format) {
  let count = 0
  const [before, between, behind] = framesOf[format]
  await write(target, before)
  for (let after: string | null = ''; after !== null; ) {
    world.signal.throwIfAborted()
    const query: { after?: string; limit: number } = { limit: 200, ...(after ? { after } : {}) }
    const part = await call((client) => client.api.operators.exportEmojiIds({ query }))
    const lines = part.data.map((id) => lineOf(rowOf(id), format))
    if (lines.length > 0) await write(target, (count > 0 ? between : '') + lines.join(between))
    count += part.data.length
    after = part.next
  }
  await write(target, count > 0 || format === 'json' ? behind : '')
  return count
}

type ExportRow = Record<'user_id' | 'organization_id' | 'pubkey', string | null> &
  Required<Pick<Row, 'emoji_id' | 'records'>>

/** An import needs one owner: the person or organization, else the bare key. */
function rowOf({ emoji_id, user_id, organization_id, pubkey, records }: ExportRow): Row {
  if (user_id) return { emoji_id, user_id, records }
  if (organization_id) return { emoji_id, organization_id, records }
  return { emoji_id, ...(pubkey ? { pubkey } : {}), records }
}

function lineOf(row: Row, format: Format): string {
  if (format !== 'csv') return toJson(row)
  return toCsv(
    columns.map((name) => (name === 'records' ? toJson(row.records) : (row[name] ?? ''))),
  )
}

const write = (target: Writable, text: string) =>
  new Promise<void>((done, fail) => {
    target.write(text, (error) => (error ? fail(error) : done()))
  })
