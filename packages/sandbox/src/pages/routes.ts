import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { CardChoice } from '../buyer/cards.ts'
import * as cards from '../buyer/cards.ts'
import * as coins from '../buyer/coins.ts'
import { BuyerError } from '../buyer/errors.ts'
import type { BuyerOptions } from '../buyer/routes.ts'
import { disputeOutcomes, ofIntent as disputesOf } from '../card/disputes.ts'
import { sweep as sweepSessions } from '../card/sessions.ts'
import { type TestCardName, testCards } from '../card/test-cards.ts'
import { sweep as sweepInvoices } from '../crypto/invoice-actions.ts'
import { isMethodId } from '../crypto/methods.ts'
import { keepLocal } from '../local.ts'
import { methodsAt } from '../methods.ts'
import { daySeconds } from '../time.ts'
import { changeWebhookSettings } from '../webhooks/settings.ts'
import { intentPage, returnUrl, sessionPage, successUrl } from './cards.ts'
import { claimPage, invoicePage } from './coins.ts'
import { homePage } from './home.ts'
import { html, page, policy } from './html.ts'

type Path = { Params: { id: string } }

/** The same actions for people: pages with forms, without scripts. */
export async function pageRoutes(app: FastifyInstance, options: BuyerOptions): Promise<void> {
  const { card, crypto } = options
  const { state } = card
  keepLocal(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
  )
  app.setErrorHandler((error, { method, url }, reply) => {
    const { status, statusCode, message } = error as BuyerError & { statusCode?: number }
    reply.code(status ?? statusCode ?? 500)
    // The page with the form links to the shop.
    const backLink = method === 'POST' ? html`<p><a href="${url}">Go back</a></p>` : undefined
    return send(reply, page('That didn’t work', html`<p>${message}</p>${backLink}`))
  })

  app.setNotFoundHandler(({ url }, reply) => {
    const methods = methodsAt(app, url)
    if (methods.length === 0) throw new BuyerError(404, 'Page not found.')
    reply.header('allow', methods.join(', '))
    throw new BuyerError(405, `This address supports ${methods.join(', ')} only.`)
  })

  /** Returns true if it was about a dispute. */
  const actOnDispute = (request: FastifyRequest, intent: string): boolean => {
    const action = field(request, 'action')
    if (action === 'dispute' || action === 'inquire') {
      cards.openDispute(card, intent, { inquiry: action === 'inquire' })
      return true
    }
    const act = [...disputeOutcomes, 'escalate' as const].find((one) => one === action)
    const [dispute] = act ? disputesOf(card, intent) : []
    if (!act || !dispute) return false
    cards.continueDispute(card, dispute.id, act)
    return true
  }

  app.get('/', async (_request, reply) => {
    sweepSessions(card)
    sweepInvoices(crypto)
    return send(reply, homePage(state))
  })
  app.post('/settings', async (request, reply) => {
    const delay_s = Number(field(request, 'delay_s') || 0)
    const copies = Number(field(request, 'copies') || 1)
    const isRight = delay_s >= 0 && delay_s <= daySeconds && Number.isInteger(copies)
    if (!isRight || copies < 1 || copies > 10) throw new BuyerError(400, 'Enter numbers.')
    changeWebhookSettings(state, {
      delay_ms: delay_s * 1_000,
      copies,
      shuffled: field(request, 'shuffled') === 'yes',
      off: field(request, 'off') === 'yes',
    })
    return reply.redirect('/', 303)
  })
  app.post<Path>('/events/:id/deliver', async ({ params }, reply) => {
    const delivery = state.get('delivery', params.id)
    if (delivery?.provider === 'crypto') crypto.webhooks.redeliver(delivery)
    else if (state.get('event', params.id)) card.events.deliverAgain(params.id)
    else throw new BuyerError(404, 'This event does not exist.')
    return reply.redirect('/', 303)
  })

  app.get<Path>('/pay/session/:id', async ({ params }, reply) => {
    const storedSession = cards.findSession(card, params.id)
    const { success_url, cancel_url, payment_intent } = storedSession.session
    const intent = state.get('intent', String(payment_intent))?.intent
    const disputes = disputesOf(card, String(payment_intent))
    return send(reply, sessionPage(storedSession, intent, disputes), [success_url, cancel_url])
  })
  app.post<Path>('/pay/session/:id', async (request, reply) => {
    const { id } = request.params
    const { session } = cards.findSession(card, id)
    if (actOnDispute(request, String(session.payment_intent))) {
      return reply.redirect(`/pay/session/${id}`, 303)
    }
    switch (field(request, 'action')) {
      case 'decline':
        cards.declineSession(card, id, 'generic_decline')
        break
      case 'yes':
      case 'no':
        cards.decideIntent(card, String(session.payment_intent), field(request, 'action') === 'yes')
        break
      default:
        cards.paySession(card, id, choiceOf(request))
    }
    const after = cards.findSession(card, id).session
    const isDone = after.status === 'complete'
    return reply.redirect(isDone ? successUrl(after) : `/pay/session/${id}`, 303)
  })

  app.get<Path>('/pay/intent/:id', async ({ params }, reply) => {
    const storedIntent = cards.findIntent(card, params.id)
    return send(reply, intentPage(storedIntent, disputesOf(card, params.id)), [
      returnUrl(storedIntent.intent),
    ])
  })
  app.post<Path>('/pay/intent/:id', async (request, reply) => {
    const { id } = request.params
    const action = field(request, 'action')
    if (actOnDispute(request, id)) return reply.redirect(`/pay/intent/${id}`, 303)
    const returnAddress = returnUrl(cards.findIntent(card, id).intent)
    if (action === 'decline') cards.declineIntent(card, id, 'generic_decline')
    else if (action === 'yes' || action === 'no') cards.decideIntent(card, id, action === 'yes')
    else cards.payIntent(card, id, choiceOf(request))
    if (!returnAddress) return reply.redirect(`/pay/intent/${id}`, 303)
    const target = new URL(returnAddress)
    target.searchParams.set('payment_intent', id)
    target.searchParams.set('redirect_status', action === 'yes' ? 'succeeded' : 'failed')
    return reply.redirect(target.href, 303)
  })

  app.get<Path>('/pay/invoice/:id', async ({ params }, reply) =>
    send(reply, invoicePage(coins.findInvoice(crypto, params.id))),
  )
  app.post<Path>('/pay/invoice/:id', async (request, reply) => {
    const { id } = request.params
    const action = field(request, 'action')
    const method = field(request, 'method')
    if (action === 'confirm' || action === 'fail' || action === 'expire')
      coins.continueInvoice(crypto, id, action)
    else if (!isMethodId(method)) throw new BuyerError(400, 'Choose a payment method.')
    else {
      const percent = { part: 50, over: 150 }[action]
      coins.payInvoice(crypto, id, {
        method,
        percent,
        amount: undefined,
        confirmed: action !== 'unconfirmed',
      })
    }
    return reply.redirect(`/pay/invoice/${id}`, 303)
  })

  app.get<Path>('/claim/:id', async ({ params }, reply) => {
    const claim = state.get('claim', params.id)
    if (!claim) throw new BuyerError(404, 'This refund does not exist.')
    return send(reply, claimPage(claim))
  })
  app.post<Path>('/claim/:id', async (request, reply) => {
    if (field(request, 'action') === 'pay') coins.payOutClaim(crypto, request.params.id)
    else coins.claimRefund(crypto, request.params.id, field(request, 'destination').trim())
    return reply.redirect(`/claim/${request.params.id}`, 303)
  })
}

function send(reply: FastifyReply, text: string, targets: readonly (string | null)[] = []) {
  return reply
    .header('content-security-policy', policy(targets))
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'same-origin')
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(text)
}

const field = ({ body }: FastifyRequest, name: string): string => {
  const value = (body as Record<string, unknown> | undefined)?.[name]
  return typeof value === 'string' ? value : ''
}

function choiceOf(request: FastifyRequest): CardChoice {
  const cardName = field(request, 'card')
  const action = field(request, 'action')
  if (!['pay', 'slow', 'challenge'].includes(action)) throw new BuyerError(400, 'Choose a button.')
  return {
    card: Object.hasOwn(testCards, cardName) ? (cardName as TestCardName) : 'visa',
    keep_card: field(request, 'keep_card') === 'yes',
    outcome:
      action === 'slow' ? 'processing' : action === 'challenge' ? 'requires_action' : 'succeeded',
  }
}
