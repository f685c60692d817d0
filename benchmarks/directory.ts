import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { emojiAlphabet, recordHash, tagFromNumber } from '@emojid/core'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

/** The n-th id of a synthetic directory: four emojis, unique for each n. */
export function syntheticId(n: number): string {
  const size = emojiAlphabet.length
  const places = [n % size, Math.floor(n / size) % size, Math.floor(n / size ** 2) % size, 7]
  return places.map((place) => emojiAlphabet[place]).join('')
}

const digits = [...'🦀🐙🍕👑🔥🐍🌴🎸🚀💎']

/** The n-th of a million six-emoji ids. Most are cheap, and none equals a four-emoji id. */
export const cheapId = (n: number): string =>
  [...String(n).padStart(6, '0')].map((digit) => digits[Number(digit)]).join('')

const bitcoin = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'
const ether = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'

function recordsOf(n: number): string {
  const records = [
    { tag: tagFromNumber(0x1003), data: `${bitcoin}|${n}` },
    { tag: tagFromNumber(0x1004), data: `${ether}|${n}` },
    { tag: tagFromNumber(0x0005), data: `Number ${n}` },
  ]
  return JSON.stringify(
    records.map(({ tag, data }) => ({ tag, data, hash: recordHash(tag, data) })),
  )
}

/** Fills a migrated database with ids from `first` up to `last`, three records each. */
export async function fillDirectory(connection: pg.ClientConfig, first: number, last: number) {
  const client = new pg.Client(connection)
  await client.connect()
  await copy(
    client,
    'copy emoji_ids (emoji_id, display_format, generation) from stdin',
    first,
    last,
    (n) => [syntheticId(n), syntheticId(n), 1].join('\t'),
  )
  await copy(client, 'copy record_sets (emoji_id, records) from stdin', first, last, (n) =>
    [syntheticId(n), recordsOf(n)].join('\t'),
  )
  await client.query('vacuum analyze')
  // Vacuum and checkpoint now, so that they do not run during the measurement.
  await client.query('checkpoint')
  await client.end()
}

async function copy(
  client: pg.Client,
  sql: string,
  first: number,
  last: number,
  row: (n: number) => string,
) {
  const perChunk = 1_000
  function* lines() {
    for (let n = first; n < last; n += perChunk) {
      const chunk: string[] = []
      for (let m = n; m < Math.min(n + perChunk, last); m++) chunk.push(row(m))
      yield `${chunk.join('\n')}\n`
    }
  }
  await pipeline(Readable.from(lines()), client.query(copyFrom(sql)))
}
