import { codesSeed } from '../../demo/codes.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import { cartRoutes, createCarts } from './carts/index.ts'
import { checkoutRoutes, createCheckout } from './checkout/index.ts'
import { codeRoutes, codeUseRoutes, createCodes } from './codes/index.ts'
import { createDisputes, disputeRoutes } from './disputes/index.ts'
import { createFigures, figureRoutes } from './figures/index.ts'
import { createIdOverviews, idOverviewRoutes } from './id-overviews/index.ts'
import {
  createInterests,
  interestJobs,
  interestRoutes,
  interestTaskRules,
} from './interests/index.ts'
import { createLedger, ledgerJobs, ledgerTaskRules } from './ledger/index.ts'
import { type BoxSales, createOrders, orderBookRoutes, orderRoutes } from './orders/index.ts'
import {
  assertPaidForGood,
  createPayments,
  paymentJobs,
  paymentRoutes,
  paymentTaskRules,
} from './payments/index.ts'
import { createPromotions, promotionRoutes } from './promotions/index.ts'
import { createRefunds, refundRoutes } from './refunds/index.ts'
import { createSavedCards, savedCardRoutes } from './saved-cards/index.ts'
import { createSettlement, settlementJobs } from './settlement/index.ts'

type Deps = Parts & Operations & Identity & Directory & { lootboxSales: BoxSales }

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
