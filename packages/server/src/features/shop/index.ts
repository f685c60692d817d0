import { codesSeed } from '../../demo/codes.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import type { People } from '../people/index.ts'
import { createCarts } from './carts/carts.ts'
import { cartRoutes } from './carts/routes.ts'
import { createCheckout } from './checkout/checkout.ts'
import { checkoutRoutes } from './checkout/routes.ts'
import { createCodes } from './codes/codes.ts'
import { codeRoutes, codeUseRoutes } from './codes/routes.ts'
import { createDisputes } from './disputes/disputes.ts'
import { disputeRoutes } from './disputes/routes.ts'
import { createFigures } from './figures/figures.ts'
import { figureRoutes } from './figures/routes.ts'
import { createIdOverviews } from './id-overviews/id-overviews.ts'
import { idOverviewRoutes } from './id-overviews/routes.ts'
import { createInterests, interestJobs, interestTaskRules } from './interests/interests.ts'
import { interestRoutes } from './interests/routes.ts'
import { ledgerJobs, ledgerTaskRules } from './ledger/jobs.ts'
import { createLedger } from './ledger/ledger.ts'
import { type BoxSales, createOrders } from './orders/orders.ts'
import { orderBookRoutes, orderRoutes } from './orders/routes.ts'
import { paymentJobs, paymentTaskRules } from './payments/jobs.ts'
import { assertPaidForGood, createPayments } from './payments/payments.ts'
import { paymentRoutes } from './payments/routes.ts'
import { createPromotions } from './promotions/promotions.ts'
import { promotionRoutes } from './promotions/routes.ts'
import { createRefunds } from './refunds/refunds.ts'
import { refundRoutes } from './refunds/routes.ts'
import { savedCardRoutes } from './saved-cards/routes.ts'
import { createSavedCards } from './saved-cards/saved-cards.ts'
import { createSettlement, settlementJobs } from './settlement/settlement.ts'

type Deps = Parts & Operations & Identity & Directory & People & { lootboxSales: BoxSales }

/** Purchases: promo codes, carts, checkout, payments, refunds, disputes. */
export function createShopWing(parts: Deps) {
  const { accountExport, config, sealer, gateways, now, tokens } = parts
  const codes = createCodes({ ...parts, legacyUntil: config.legacy_challenge_until })
  const ledger = createLedger(parts)
  const savedCards = createSavedCards({ ...parts, cards: gateways.card })
  accountExport.addRemotePart('saved_cards', savedCards.exportCards)
  const payments = createPayments({ ...parts, savedCards, ledger })
  const orders = createOrders({ ...parts, codes, ledger, payments })
  const settlement = createSettlement({ ...parts, ledger, payments, orders })
  const carts = createCarts({
    ...parts,
    orders,
    settlement,
    companyFeePercent: config.company_fee_percent,
  })
  const checkout = createCheckout({
    ...parts,
    carts,
    ledger,
    orders,
    payments,
    savedCards,
    settlement,
    holdMs: config.cart_ttl_ms,
    freeCeiling: config.free_ceiling_cents,
    secondFactorAbove: config.checkout_2fa_cents,
    cashFourEyes: config.cash_four_eyes,
  })
  const promotions = createPromotions({
    ...parts,
    carts,
    checkout,
    codes,
    orders,
    payments,
    settlement,
    drawKey: sealer.derive('random codes'),
  })
  const refunds = createRefunds({ ...parts, ledger, orders, payments, settlement })
  const disputes = createDisputes({ ...parts, ledger, orders, payments })
  const interests = createInterests(parts)
  const idOverviews = createIdOverviews(parts)
  const figures = createFigures(parts)
  const mintAfterCardMs = config.mint_after_card_ms
  tokens.beforeSigned((trx, ownedId) =>
    assertPaidForGood({ ledger, mintAfterCardMs, now }, trx, ownedId),
  )
  return {
    services: { codes, carts, interests },
    routes: [
      mount(cartRoutes, { carts, orders }),
      mount(checkoutRoutes, { checkout, orders }),
      mount(promotionRoutes, { promotions, orders }),
      mount(orderRoutes, { orders }),
      mount(refundRoutes, { refunds }),
      mount(disputeRoutes, { disputes }),
      mount(savedCardRoutes, { savedCards }),
      mount(paymentRoutes, { payments }),
      mount(codeRoutes, { codes }),
      mount(interestRoutes, { interests }),
    ],
    /** The API description lists the reports for operators last. */
    reportRoutes: [
      mount(orderBookRoutes, { orders }),
      mount(codeUseRoutes, { codes }),
      mount(idOverviewRoutes, { idOverviews }),
      mount(figureRoutes, { figures }),
    ],
    jobs: [
      paymentJobs(payments),
      settlementJobs(settlement),
      ledgerJobs(ledger),
      interestJobs(interests),
    ],
    taskRules: {
      ...ledgerTaskRules(ledger, payments.recoverRefund),
      ...paymentTaskRules,
      ...interestTaskRules,
    },
    seeds: [codesSeed(codes, parts.announce)],
  }
}
