import { codesSeed } from '../../demo/codes.ts'
import type { Parts } from '../../parts.ts'
import { mount } from '../../platform/http/mount.ts'
import type { Directory } from '../directory/index.ts'
import type { Identity } from '../identity/index.ts'
import type { Operations } from '../operations/index.ts'
import type { People } from '../people/index.ts'
import { createCodes } from './codes/codes.ts'
import { codeRoutes, codeUseRoutes } from './codes/routes.ts'
import { createDisputes, disputeJobs } from './disputes/disputes.ts'
import { disputeRoutes } from './disputes/routes.ts'
import { createFigures } from './figures/figures.ts'
import { figureRoutes } from './figures/routes.ts'
import { createIdOverviews } from './id-overviews/id-overviews.ts'
import { idOverviewRoutes } from './id-overviews/routes.ts'
import { createInterests, interestJobs, interestTaskRules } from './interests/interests.ts'
import { interestRoutes } from './interests/routes.ts'
import { createLedger, ledgerJobs, ledgerTaskRules } from './ledger/ledger.ts'
import { type BoxSales, createOrders } from './orders/orders.ts'
import { orderBookRoutes, orderRoutes } from './orders/routes.ts'
import {
  assertPaidForGood,
  createPurchases,
  purchaseJobs,
  purchaseTaskRules,
} from './purchases/purchases.ts'
import { cartRoutes, paymentRoutes } from './purchases/routes.ts'
import { createRefunds, refundJobs } from './refunds/refunds.ts'
import { refundRoutes } from './refunds/routes.ts'
import { savedCardRoutes } from './saved-cards/routes.ts'
import { createSavedCards } from './saved-cards/saved-cards.ts'

type Deps = Parts & Operations & Identity & Directory & People & { lootboxSales: BoxSales }

/** Purchases: promo codes, carts, checkout, payments, refunds, disputes. */
export function createShopWing(parts: Deps) {
  const { accountExport, config, sealer, gateways, now, tokens } = parts
  const codes = createCodes({ ...parts, legacyUntil: config.legacy_challenge_until })
  const ledger = createLedger(parts)
  const savedCards = createSavedCards({ ...parts, cards: gateways.card })
  accountExport.addRemotePart('saved_cards', savedCards.exportCards)
  const orders = createOrders({ ...parts, codes, ledger })
  const purchases = createPurchases({
    ...parts,
    codes,
    ledger,
    orders,
    savedCards,
    companyFeePercent: config.company_fee_percent,
    holdMs: config.cart_ttl_ms,
    freeCeiling: config.free_ceiling_cents,
    secondFactorAbove: config.checkout_2fa_cents,
    cashFourEyes: config.cash_four_eyes,
    drawKey: sealer.derive('random codes'),
  })
  const refunds = createRefunds({ ...parts, ledger, orders, purchases })
  const disputes = createDisputes({ ...parts, ledger, orders, purchases })
  const interests = createInterests(parts)
  const idOverviews = createIdOverviews(parts)
  const figures = createFigures(parts)
  const mintAfterCardMs = config.mint_after_card_ms
  tokens.beforeSigned((trx, ownedId) =>
    assertPaidForGood({ ledger, mintAfterCardMs, now }, trx, ownedId),
  )
  return {
    services: { codes, purchases, interests },
    routes: [
      mount(cartRoutes, { purchases, orders }),
      mount(orderRoutes, { orders }),
      mount(refundRoutes, { refunds }),
      mount(disputeRoutes, { disputes }),
      mount(savedCardRoutes, { savedCards }),
      mount(paymentRoutes, { purchases }),
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
      purchaseJobs(purchases),
      refundJobs(refunds),
      disputeJobs(disputes),
      ledgerJobs(ledger),
      interestJobs(interests),
    ],
    taskRules: {
      ...ledgerTaskRules(ledger, refunds.recoverRefund),
      ...purchaseTaskRules,
      ...interestTaskRules,
    },
    seeds: [codesSeed(codes, parts.announce)],
  }
}
