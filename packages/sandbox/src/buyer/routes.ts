import type { FastifyInstance, FastifyRequest } from 'fastify'
import { disputeOutcomes, disputeReasons } from '../card/disputes.ts'
import type { CardProvider } from '../card/provider.ts'
import { change as changeRefund, refundStatuses } from '../card/refunds.ts'
import {
  type Decline,
  declines,
  outcomes,
  type TestCardName,
  testCards,
} from '../card/test-cards.ts'
import { viewInvoice } from '../crypto/invoices.ts'
import { methodIds } from '../crypto/objects.ts'
import type { CryptoDesk } from '../crypto/provider.ts'
import { keepLocal } from '../local.ts'
import { daySeconds } from '../time.ts'
import { changeWebhookSettings, webhookSettings } from '../webhooks/settings.ts'
import type { CardChoice } from './cards.ts'
import * as cards from './cards.ts'
import * as coins from './coins.ts'
import { BuyerError } from './errors.ts'

export type BuyerOptions = {
  card: CardProvider
  crypto: CryptoDesk
}

type Path = { Params: { id: string } }
type RequestBody = Record<string, unknown>

const longestDelayMs = daySeconds * 1_000

/** Actions of buyers and banks, as JSON for tests and scripts. */
export async function buyerRoutes(app: FastifyInstance, options: BuyerOptions): Promise<void> {
  const { card, crypto } = options
  const { state } = card
  keepLocal(app)
  app.setErrorHandler((error, _request, reply) => {
    const { status, statusCode, message } = error as BuyerError & { statusCode?: number }
    return reply.code(status ?? statusCode ?? 500).send({ error: message })
  })
  const post = (url: string, act: (id: string, body: RequestBody) => object): void =>
    void app.post<Path>(url, async (request) => act(request.params.id, bodyOf(request)))

  post('/sessions/:id/pay', (id, input) => cards.paySession(card, id, cardChoice(input)))
  post('/sessions/:id/decline', (id, input) => cards.declineSession(card, id, declineOf(input)))
  post('/sessions/:id/expire', (id) => cards.expireSession(card, id))
  post('/intents/:id/pay', (id, input) => cards.payIntent(card, id, cardChoice(input)))
  post('/intents/:id/decline', (id, input) => cards.declineIntent(card, id, declineOf(input)))
  post('/intents/:id/settle', (id) => cards.decideIntent(card, id, true))
  post('/intents/:id/fail', (id) => cards.decideIntent(card, id, false))
  post('/refunds/:id/status', (id, input) => {
    const status = oneOf(input, 'status', refundStatuses)
    if (!state.get('refund', id)) throw new BuyerError(404, 'This refund does not exist.')
    return state.change(() => changeRefund(card, id, status))
  })

  const dispute = (intent: string, input: RequestBody) => {
    const { amount, inquiry } = input
    if (amount !== undefined && !isNumber(amount, 1, Number.MAX_SAFE_INTEGER)) {
      throw new BuyerError(400, 'amount must be a number of cents.')
    }
    return cards.openDispute(card, intent, {
      ...(amount === undefined ? {} : { amount: Math.floor(Number(amount)) }),
      reason: oneOf({ reason: 'fraudulent', ...input }, 'reason', disputeReasons),
      inquiry: inquiry === true,
    })
  }
  post('/intents/:id/dispute', dispute)
  post('/sessions/:id/dispute', (id, input) =>
    dispute(String(cards.findSession(card, id).session.payment_intent), input),
  )
  post('/disputes/:id/review', (id) => cards.continueDispute(card, id, 'review'))
  post('/disputes/:id/escalate', (id) => cards.continueDispute(card, id, 'escalate'))
  post('/disputes/:id/close', (id, input) =>
    cards.continueDispute(card, id, oneOf(input, 'outcome', disputeOutcomes)),
  )

  const showInvoice = (id: string) => viewInvoice(coins.findInvoice(crypto, id), crypto.origin())
  post('/invoices/:id/pay', (id, input) => {
    const { percent, amount, confirmed = true } = input
    if (percent !== undefined && !isNumber(percent, 0, 10_000)) {
      throw new BuyerError(400, 'percent must be a number from 0 to 10000.')
    }
    coins.payInvoice(crypto, id, {
      method: oneOf({ method: 'BTC-CHAIN', ...input }, 'method', methodIds),
      percent: percent as number | undefined,
      amount: amount === undefined ? undefined : String(amount),
      confirmed: confirmed === true,
    })
    return showInvoice(id)
  })
  for (const act of ['confirm', 'fail', 'expire'] as const) {
    post(`/invoices/:id/${act}`, (id) => {
      coins.continueInvoice(crypto, id, act)
      return showInvoice(id)
    })
  }

  post('/claims/:id/claim', (id, { destination }) => {
    coins.claimRefund(crypto, id, String(destination ?? ''))
    return { id }
  })
  post('/claims/:id/pay', (id) => {
    coins.payOutClaim(crypto, id)
    return { id }
  })

  app.post('/rates', async (request) => {
    const { coin = 'BTC', currency = 'USD', rate } = bodyOf(request)
    coins.setRate(crypto, String(coin), String(currency), String(rate ?? ''))
    return { coin, currency, rate }
  })

  app.get('/webhooks', async () => webhookSettings(state))
  app.post('/webhooks', async (request) => {
    const { delay_ms, copies, shuffled, off } = bodyOf(request)
    const isRight =
      (delay_ms === undefined || isNumber(delay_ms, 0, longestDelayMs)) &&
      (copies === undefined || (isNumber(copies, 1, 10) && Number.isInteger(copies))) &&
      [shuffled, off].every((flag) => flag === undefined || typeof flag === 'boolean')
    if (!isRight) throw new BuyerError(400, 'Send delay_ms, copies (1 to 10), shuffled, off.')
    const changes = Object.entries({ delay_ms, copies, shuffled, off })
    return changeWebhookSettings(
      state,
      Object.fromEntries(changes.filter(([, value]) => value !== undefined)),
    )
  })
  app.post('/failures', async (request) => {
    const { count = 1, applied = false } = bodyOf(request)
    if (!isNumber(count, 0, 100)) throw new BuyerError(400, 'count must be a number from 0 to 100.')
    card.failures.splice(0)
    for (let rest = Number(count); rest > 0; rest -= 1) {
      card.failures.push({ applied: applied === true })
    }
    return { count, applied }
  })
  post('/events/:id/deliver', (id) => {
    const delivery = state.get('delivery', id)
    if (delivery?.provider === 'crypto') return { delivery: crypto.webhooks.redeliver(delivery) }
    if (!state.get('event', id)) throw new BuyerError(404, 'This event does not exist.')
    card.events.deliverAgain(id)
    return { event: id }
  })
}

const bodyOf = ({ body }: FastifyRequest): RequestBody => {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new BuyerError(400, 'Send an object.')
  return body as RequestBody
}

const isNumber = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

function oneOf<Value extends string>(
  input: RequestBody,
  name: string,
  allowed: readonly Value[],
): Value {
  const match = allowed.find((value) => value === input[name])
  if (match === undefined)
    throw new BuyerError(400, `${name} must be one of ${allowed.join(', ')}.`)
  return match
}

const cardChoice = (input: RequestBody): CardChoice => ({
  card: oneOf({ card: 'visa', ...input }, 'card', Object.keys(testCards) as TestCardName[]),
  keep_card: input['keep_card'] === true,
  outcome: oneOf({ outcome: 'succeeded', ...input }, 'outcome', outcomes),
})

const declineOf = (input: RequestBody): Decline =>
  oneOf({ code: 'generic_decline', ...input }, 'code', Object.keys(declines) as Decline[])
