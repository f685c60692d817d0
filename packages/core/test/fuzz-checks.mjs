// Runs in a separate process: a check that exhausts memory or crashes the engine must neither end
// the tests nor go unnoticed. Arguments: the file of valid addresses, the seed.
import { readFileSync } from 'node:fs'
import { chains, otherChains } from '../dist/addresses/chains.js'
import * as core from '../dist/index.js'

const [addressFile, seed] = process.argv.slice(2)
let state = Number(seed) >>> 0 || 1

function random(limit) {
  state ^= state << 13
  state ^= state >>> 17
  state ^= state << 5
  return (state >>> 0) % limit
}

const pick = (list) => list[random(list.length)]
const letters = [
  '0123456789abcdefABCDEF',
  '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz',
  'qpzry9x8gf2tvdw0s3jn54khce6mua7l1',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  ' |:._-%\0\n\u200d\ud800é🔥',
]
const examples = readFileSync(addressFile, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' ')[3])

const noise = (length) => Array.from({ length }, () => pick([...pick(letters)])).join('')
const word = (length) => {
  const from = pick(letters)
  return Array.from({ length }, () => from[random(from.length)]).join('')
}

const shapes = [
  () => noise(random(120)),
  () => word(random(140)),
  () => word(1 + random(4)) + pick(examples),
  () => pick(examples).slice(random(20)) + word(random(8)),
  () => pick(examples).slice(0, 4) + word(20 + random(100)),
  () => pick(examples).repeat(1 + random(40)),
  () => word(5000),
  mutant,
  mutant,
  mutant,
]

function mutant() {
  const text = [...pick(examples)]
  for (let times = 1 + random(3); times > 0; times--) text[random(text.length)] = word(random(3))
  return text.join('')
}

const tags = core.knownTags().map((info) => info.tag)
const tickers = [...core.chainTickers, ...core.knownTags().flatMap((info) => info.ticker ?? [])]
const allowedErrors = ['RecordError', 'AddressError', 'EmojiIdError', 'AmountError']
const counts = { accepted: 0, refused: 0, strange: [] }

function attempt(fault, call) {
  try {
    call()
    counts.accepted += 1
  } catch (error) {
    if (allowedErrors.includes(error.name)) counts.refused += 1
    else counts.strange.push(`${fault}: ${error.name} ${error.message}`)
  }
}

const pool = Array.from({ length: 150 }, () => pick(shapes)())
for (const [ticker, chain] of Object.entries({ ...chains, ...otherChains })) {
  for (const text of pool) {
    attempt(`${ticker} ${JSON.stringify(text).slice(0, 200)}`, () => chain.check(text))
  }
}
for (const tag of tags) {
  for (let round = 0; round < 15; round++) {
    const data = pick(pool)
    attempt(`checkRecord ${tag} ${JSON.stringify(data).slice(0, 200)}`, () =>
      core.checkRecord({ tag, data }),
    )
  }
}
for (const ticker of tickers) {
  for (let round = 0; round < 15; round++) {
    const text = pick(pool)
    attempt(`checkAddress ${ticker} ${JSON.stringify(text).slice(0, 200)}`, () =>
      core.checkAddress(ticker, text),
    )
  }
}
for (let round = 0; round < 300; round++) {
  const text = pick(shapes)()
  attempt(`detectChain ${JSON.stringify(text).slice(0, 200)}`, () => core.detectChain(text))
  attempt(`parseTag ${JSON.stringify(text).slice(0, 50)}`, () => core.parseTag(text))
  attempt(`paymentUri ${JSON.stringify(text).slice(0, 50)}`, () =>
    core.paymentUri({ ticker: pick(tickers), address: text, amount: text, label: text }),
  )
  attempt(`parseEmojiIdSegment ${JSON.stringify(text).slice(0, 50)}`, () =>
    core.parseEmojiIdSegment(text),
  )
}
process.stdout.write(JSON.stringify(counts))
