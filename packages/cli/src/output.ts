import { randomUUID } from 'node:crypto'
import type { World } from './world.ts'

export type Output = ReturnType<typeof createOutput>

type Table = { columns: readonly string[]; rows: readonly (readonly string[])[] }

/** JSON for programs; for people, text without terminal escape sequences. */
export function createOutput({ stdout, stderr, env }: World, wantsJson: boolean) {
  const isJson = wantsJson || stdout.isTTY !== true
  const isColored = stdout.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  // Stands for the escape character until all user text is sanitized; user text cannot contain it.
  const ours = randomUUID()
  const safe = (text: string) => plain(text).replaceAll(ours, '\u001b')
  const line = (text: string) => void stdout.write(`${safe(text)}\n`)
  const styled = (code: number | string, text: string) =>
    isColored ? `${ours}[${code}m${text}${ours}[0m` : text

  return {
    isJson,
    isColored,
    blackOnWhite: (text: string) => styled('30;107', text),
    bold: (text: string) => styled(1, text),
    faint: (text: string) => styled(2, text),
    good: (text: string) => styled(32, text),
    bad: (text: string) => styled(31, text),
    /** One value: as JSON, or as lines of text. */
    show(value: unknown, words: () => string | readonly string[]) {
      if (isJson) line(toJson(value))
      else for (const text of [words()].flat()) line(text)
    },
    /** A line for people; not in JSON output. */
    say(text: string) {
      if (!isJson) line(text)
    },
    json: (value: unknown) => line(toJson(value)),
    /** Writes progress, questions and errors to standard error. */
    note: (text: string) => void stderr.write(`${safe(text)}\n`),
    /** Items one by one as JSON lines, or all as a table. */
    async list<Item>(
      items: AsyncIterable<Item> | Iterable<Item>,
      { columns, row, none }: { columns: string[]; row: (item: Item) => string[]; none: string },
    ) {
      const rows: string[][] = []
      for await (const item of items) {
        if (isJson) line(toJson(item))
        else rows.push(row(item).map(plain))
      }
      if (isJson) return
      for (const text of rows.length > 0 ? table({ columns, rows }, styled) : [none]) line(text)
    },
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const steering = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

/** Removes escape sequences and direction overrides from user text. */
export const plain = (text: string): string => text.replace(steering, '�')

export const toJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    steering,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

function table({ columns, rows }: Table, styled: (code: number, text: string) => string) {
  const widths = columns.map((name, place) =>
    Math.max(name.length, ...rows.map((row) => widthOf(row[place] ?? ''))),
  )
  const laid = (cells: readonly string[]) =>
    cells
      .map((cell, place) => cell + ' '.repeat(Math.max(0, (widths[place] ?? 0) - widthOf(cell))))
      .join('  ')
      .trimEnd()
  return [styled(2, laid(columns)), ...rows.map(laid)]
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Emojis are two columns wide in a terminal, however many code points they have. */
function widthOf(text: string): number {
  let width = 0
  for (const { segment } of segmenter.segment(text)) {
    width += /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20e3/u.test(segment) ? 2 : 1
  }
  return width
}

/** US cents as a price. */
export const money = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' })

/** A time, to the minute. */
export const moment = (text: string | null | undefined): string =>
  text ? text.slice(0, 16).replace('T', ' ') : ''
