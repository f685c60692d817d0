// Generates valid and invalid requests from docs/openapi.json: no 5xx, no broken shape, no hang.
// npm run fuzz
// Fewer, or with another seed: npm run fuzz -- REQUESTS=5000 SEED=7
import fc from 'fast-check'
import { describedOperations } from '../test/support/from-schema.ts'
import { type Findings, inParallel } from './account-stage.ts'
import { inShop, type Order, payAddress, type Shop } from './commerce-stage.ts'
import { registerPlayers } from './fuzz-cast.ts'
import { createVerdict } from './fuzz-checks.ts'
import { createMemory } from './fuzz-memory.ts'
import { type Story, stories } from './fuzz-requests.ts'
import { type Answer, requestOf, send } from './fuzz-wire.ts'
import { runParts, sizeOf } from './parts.ts'

const requestCount = sizeOf('REQUESTS', 100_000)
const seed = sizeOf('SEED', 1)
const atOnce = sizeOf('AT_ONCE', 6)
const storiesPerRound = 60
const mostResidentMb = 600

await runParts('fuzz', { requests: () => inShop(fuzz, { SEED_DEMO: 'true' }) })

async function fuzz(shop: Shop): Promise<Findings> {
  const verdict = createVerdict()
  const everybodys = createMemory()
  const allStories = stories()
  let requests = 0
  let answeredCount = 0
  const resident: number[] = []

  const play = async ({ role, recipes }: Story): Promise<void> => {
    const actor = await registerPlayers(shop, role)
    for (const recipe of recipes) {
      const request = requestOf(recipe, actor, everybodys)
      const answer = await send(shop.port, request)
      requests++
      verdict.judge(recipe, request, role, answer)
      if (typeof answer === 'string') shop.assertAlive()
      if (typeof answer === 'string' || answer.status !== 200) continue
      const body = read(answer)
      const noun = recipe.operation.path.split(/\/(?:\{\w+\}\/?)?/).findLast((word) => word) ?? ''
      for (const memory of [actor.memory, everybodys]) memory.learn(body, noun)
      if (recipe.isPaid && isUnpaid(body)) await shop.atProvider(payAddress(body))
    }
  }

  for (let round = 0; requests < requestCount; round++) {
    const next = fc.sample(allStories, { seed: seed * 1_000_000 + round, numRuns: storiesPerRound })
    await inParallel(next, atOnce, play)
    shop.assertAlive()
    resident.push(shop.residentMb())
    // Codes sent by email.
    for (const { mail } of shop.sink.received.splice(0)) {
      for (const [code] of mail.text?.matchAll(/\b\d{6}\b/g) ?? [])
        everybodys.remember('code_text', code)
    }
    if (requests - answeredCount >= 10_000) {
      answeredCount = requests
      const faults = verdict.faults().map(({ what, curl }) => `${what}\n  ${curl}\n`)
      process.stderr.write(
        `${requests} requests, ${faults.length} kinds of faults\n${faults.join('')}`,
      )
    }
  }

  const names = describedOperations().map(({ method, path }) => `${method} ${path}`)
  const figures = verdict.figures(names)
  const most = Math.max(...resident)
  const broken = verdict.faults().map(({ what, times, curl }) => `${what} (${times}×)\n  ${curl}`)
  for (const [name, times] of Object.entries(figures.overloaded)) {
    broken.push(`${name} was turned away ${times}×`)
  }
  if (most > mostResidentMb) broken.push(`The service grew to ${most} MB`)
  if (broken.length > 0) process.stderr.write(`${errorsIn(shop.output())}\n`)
  const memory = { after_warm_up: resident[Math.floor(resident.length / 10)], most }
  return {
    figures: {
      seed,
      requests,
      at_once: atOnce,
      ...figures,
      resident_mb: { ...memory, at_end: resident.at(-1), promised: mostResidentMb },
    },
    broken,
  }
}

function isUnpaid(body: unknown): body is Order {
  const { status, payment_method_data } = (body ?? {}) as Partial<Order>
  return status === 'PendingPayment' && Boolean(payment_method_data)
}

/** The log without the notices for the operator at the terminal. */
function errorsIn(output: string): string {
  const lines = output.split('\n').filter((line) => line.startsWith('{'))
  return lines.slice(0, 20).join('\n')
}

function read({ text }: Answer): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
