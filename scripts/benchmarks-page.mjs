// Writes benchmarks/README.md, its pictures and the figures of README.md from the committed results.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './install.mjs'

/** The title of each benchmark, and the text about what it measures, and how. */
const measured = {
  lookup: [
    'Lookups',
    'Lookups in every form, with the headers of real clients, beside servers that write the same bytes, in turns; then lookups from the database among many ids.',
  ],
  purchase: [
    'Purchases',
    'Sixteen buyers fill carts and check out at the same time, by promo code and in cash, with few and with many sold ids in turns.',
  ],
  catalog: [
    'Search',
    'Searches with all alternatives and random ids over eight connections, with few and with many sold ids.',
  ],
  import: [
    'Import',
    'The command line imports 100,000 ids, once more with a signed record, and once more unchanged; then it exports all of them.',
  ],
  lists: [
    'Lists of operators',
    'The first and the last page of each search among 100,000 users, orders, lootboxes and codes.',
  ],
  abuse: [
    'Abuse',
    'The delay of 500 lookups a second from other networks, alone and beside cheap requests that cause expensive work.',
  ],
  cores: [
    'Cores',
    'Processor time of the service and of its PostgreSQL per request, with one HTTP process and with two, in turns. By processor time, the rate of two processes on two cores is twice the ratio of their costs. The measured rates share the two cores with the clients and the database. The model divides the cores of larger machines by these costs: it has no nginx, network or other limits of memory, so it is an upper bound.',
  ],
  web: [
    'Pages',
    'Public pages in a browser on a slow phone and a slow network: the time until the largest content is painted (LCP), the time in which scripts block (TBT), requests, and ratings of Lighthouse.',
  ],
  start: [
    'Start and weight',
    '`npm start` in a fresh clone with an empty and with a filled npm cache, then again; the sizes of the installs; and the memory of everything that it leaves running, without PostgreSQL. Pages of files that processes share count once.',
  ],
  tests: ['Tests', '`npm test` in a fresh clone, also beside two busy loops per core.'],
}

/** The servers that our rate is compared with. */
const peers = { of_bare: 'a bare `node:http` server', of_postgres_js: 'Fastify with postgres.js' }

const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))

/** Every file that is made from the results: path and text. */
function benchmarkPages() {
  const results = Object.fromEntries(
    readdirSync(join(root, 'benchmarks/results')).map((name) => [
      name.replace('.json', ''),
      readJson(`benchmarks/results/${name}`),
    ]),
  )
  const stress = readJson('packages/server/stress/results/lookups.json')
  const growth = growthOf(results)
  const ratios = ratiosOf(results.lookup).map(([name, ratio, peer]) => [
    `${name}, of ${peer.replaceAll('`', '')}`,
    ratio,
  ])
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  return {
    'benchmarks/README.md': benchmarksPage(results),
    'benchmarks/pictures/growth.svg': chart(
      'A million ids, as a part of the rate at ten thousand',
      growth,
    ),
    'benchmarks/pictures/ratios.svg': chart(
      'Lookups in the processor time of one request of another server',
      ratios,
    ),
    'README.md': readme
      .replace(
        /(?<=<!-- figures -->\n)[\s\S]*?(?=<!-- end of figures -->)/,
        figuresTable(results, growth),
      )
      .replace(/99 of 100 take at most \d+ ms(?= on)/, slowestOf(results.lookup))
      .replace(/older than [\d.]+ s in [\d,]+ lookups/, oldestOf(stress)),
  }
}

const slowestOf = ({ large }, figures = large?.open_loop_1_000_000_ids_uncached) =>
  figures ? `99 of 100 take at most ${Math.ceil(figures.p99_ms)} ms` : '$&'

const oldestOf = ({ oldest_ms, lookups }) =>
  `older than ${(Math.ceil(oldest_ms / 10) / 100).toFixed(2)} s in ${lookups.toLocaleString('en')} lookups`

/** Rates with a million sold ids as a part of those with ten thousand. */
function growthOf({ lookup, purchase, catalog }) {
  const [few, many] = [catalog?.ids_sold_10_000, catalog?.ids_sold_1_000_000]
  const rows = [
    ['lookups from the database', lookup.large?.uncached_1_000_000_of_10_000_ids?.ratio],
    ['purchases by promo code', purchase?.by_code?.ratio],
    ['purchases in cash', purchase?.in_cash?.ratio],
    ['searches', many?.search?.per_second / few?.search?.per_second],
    ['random ids', many?.random?.per_second / few?.random?.per_second],
  ]
  return rows.filter(([, ratio]) => Number.isFinite(ratio))
}

/** Every figure whose name says what it is a part of, such as `of_bare`. */
function ratiosOf(value, path = []) {
  return Object.entries(value ?? {}).flatMap(([key, inner]) => {
    if (typeof inner === 'number' && key.startsWith('of_'))
      return [[words(path.join(': ')), inner, peers[key] ?? words(key.slice('of_'.length))]]
    return typeof inner === 'object' && !Array.isArray(inner) ? ratiosOf(inner, [...path, key]) : []
  })
}

function figuresTable({ lookup, catalog, start }, growth) {
  const at = (name) => `([figures](benchmarks/README.md#${name}))`
  const atLeast = Math.min(...growth.map(([, ratio]) => ratio))
  const openLoop = lookup.large?.open_loop_1_000_000_ids_uncached
  const peerRatio = lookup.uncached?.of_postgres_js
  const ofPeer = peerRatio
    ? `${peerRatio} times as many as Fastify with postgres.js in the same processor time; `
    : ''
  const handedOver = ratiosOf(lookup)
    .filter(([name]) => name.includes('after another request'))
    .map(([, ratio]) => ratio)
  const search = catalog?.ids_sold_1_000_000?.search
  const rows = [
    handedOver.length > 0 && [
      'lookups from the cache, in every form, on connections with other requests too',
      `${Math.min(...handedOver)} to ${Math.max(...handedOver)} requests in the processor time of one request of ${peers.of_bare} ${at('ratios')}`,
    ],
    openLoop && [
      'lookups from the database, among a million ids',
      `${ofPeer}${slowestOf(lookup)} at ${openLoop.rate.toLocaleString('en')} a second ${at('lookups')}`,
    ],
    [
      'a million sold ids against ten thousand',
      `${atLeast.toFixed(2)} times the rate at least, for lookups, purchases, searches and random ids ${at('growth')}`,
    ],
    search && [
      'searches with all alternatives',
      `95 of 100 take at most ${Math.ceil(search.p95_ms)} ms ${at('search')}`,
    ],
    start.cold && [
      '`npm start`',
      `${start.cold.with_filled_npm_cache.processor_seconds} s of processor time in a fresh clone, ${start.warm.processor_seconds} s after that; ${start.memory_mb.idle.total} MB when idle, without PostgreSQL ${at('start-and-weight')}`,
    ],
  ]
  const lines = rows.filter(Boolean).map((row) => `| ${row.join(' | ')} |\n`)
  return `| measurement | result |\n|---|---|\n${lines.join('')}`
}

function benchmarksPage(results) {
  const sections = Object.entries(measured)
    .filter(([name]) => results[name])
    .map(([name, [title, how]]) => {
      const { measured_at, machine, ...figures } = results[name]
      const place = `${machine.processor}, ${machine.memory_gib} GiB, ${machine.system}, Node ${machine.node}`
      return `## ${title}\n\n${how}\n\nMeasured on ${measured_at.slice(0, 10)}: ${place}. Run it with \`npm run bench:${name}\`; every figure is in [${name}.json](results/${name}.json).\n\n${tablesOf(figures).join('\n')}`
    })
  return `# Benchmarks

These figures come from the committed results; \`npm run generate\` writes this page. Each benchmark starts the service as it is built, on a database of its own, on one machine. Where the load is above 2, other programs ran as well: then only processor times and ratios count. Compare ratios, not machines: both sides of a ratio are measured in turns in one run. Names that begin with \`promised\` are the aims.

## Growth

![Rates with a million sold ids, as a part of the rates with ten thousand](pictures/growth.svg)

## Ratios

![Lookups in the processor time of one request of another server, in the same run](pictures/ratios.svg)

${sections.join('\n')}`
}

/** Groups with the same figures share a table; every other figure has a line of its own. */
function tablesOf(value) {
  const byShape = {}
  for (const [name, figures] of groupsIn(value)) {
    const shape = Object.keys(figures).join()
    byShape[shape] = [...(byShape[shape] ?? []), [name, figures]]
  }
  const alone = []
  const tables = Object.values(byShape).flatMap((groups) => {
    if (groups.length > 1) return [tableOfGroups(groups)]
    const [[name, figures]] = groups
    for (const [key, figure] of Object.entries(figures))
      alone.push([words(name ? `${name}: ${key}` : key), figure])
    return []
  })
  return alone.length > 0 ? [table(['', 'figure'], alone), ...tables] : tables
}

/** The name and the own figures of every object inside, without single rounds. */
function groupsIn(value, path = []) {
  const entries = Object.entries(value ?? {})
  const figures = entries.filter(([, inner]) => typeof inner !== 'object')
  const inside = entries.flatMap(([name, inner]) => {
    const isRounds =
      typeof inner !== 'object' ||
      name === 'rounds' ||
      name === 'answers' ||
      typeof inner?.[0] === 'number'
    return isRounds
      ? []
      : groupsIn(inner, [...path, Array.isArray(value) ? `${Number(name) + 1}` : name])
  })
  if (Array.isArray(value) && figures.length > 0) return []
  return figures.length > 0 ? [[path.join(': '), Object.fromEntries(figures)], ...inside] : inside
}

const tableOfGroups = (groups) =>
  table(
    ['', ...Object.keys(groups[0][1]).map(words)],
    groups.map(([name, figures]) => [words(name), ...Object.values(figures)]),
  )

const table = (head, rows) =>
  `${[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`

const words = (name) => name.replaceAll('_', ' ').replace(/(?<=\d) (?=\d)/g, ',')

const escapeXml = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Bars with a line at 1. */
function chart(title, rows) {
  const [left, right, line] = [500, 60, 28]
  const width = 360
  const most = Math.max(1.2, ...rows.map(([, ratio]) => ratio))
  const scale = (ratio) => Math.round((ratio / most) * width)
  const height = 56 + rows.length * line
  const bars = rows.map(([name, ratio], nth) => {
    const y = 44 + nth * line
    return `<text x="${left - 12}" y="${y + 14}" text-anchor="end">${escapeXml(name)}</text><rect x="${left}" y="${y}" width="${scale(ratio)}" height="18" rx="3" fill="#6d3fe0"/><text x="${left + scale(ratio) + 8}" y="${y + 14}">${ratio.toFixed(2)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${left + width + right} ${height}" role="img" font-family="system-ui, sans-serif" font-size="14" fill="#1d1533">
<title>${escapeXml(title)}</title>
<rect width="100%" height="100%" rx="8" fill="#fff"/>
<text x="16" y="26" font-weight="600">${escapeXml(title)}</text>
${bars.join('\n')}
<line x1="${left + scale(1)}" x2="${left + scale(1)}" y1="38" y2="${height - 8}" stroke="#1d1533" stroke-dasharray="4 3"/>
</svg>
`
}

const isCheck = process.argv.includes('--check')
for (const [path, text] of Object.entries(benchmarkPages())) {
  const file = join(root, path)
  if (!isCheck) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${path} does not have the figures of benchmarks/results.`)
    process.exitCode = 1
  }
}
