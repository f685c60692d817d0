import type { FastifyPluginAsync } from 'fastify'
import type { Config } from './config.ts'
import type { Accounts } from './features/accounts/index.ts'
import type { Audit } from './features/audit/index.ts'
import { cartRoutes, createCarts } from './features/carts/index.ts'
import type { Catalog } from './features/catalog/index.ts'
import { checkoutRoutes, createCheckout } from './features/checkout/index.ts'
import type { Codes } from './features/codes/index.ts'
import { createDisputes, disputeRoutes } from './features/disputes/index.ts'
import { type EmojiIds, emojiIdJobs } from './features/emoji-ids/index.ts'
import { createLedger, ledgerJobs, ledgerTaskRules } from './features/ledger/index.ts'
import type { LootboxSales } from './features/lootbox-sales/index.ts'
import type { Notifications } from './features/notifications/index.ts'
import { createOrders, orderRoutes } from './features/orders/index.ts'
import type { Organizations } from './features/organizations/index.ts'
import {
  createPayments,
  type Gateways,
  paymentJobs,
  paymentRoutes,
  paymentTaskRules,
} from './features/payments/index.ts'
import { createPromotions, promotionRoutes } from './features/promotions/index.ts'
import { createRefunds, refundRoutes } from './features/refunds/index.ts'
import { createSavedCards, savedCardRoutes } from './features/saved-cards/index.ts'
import { createSettlement, settlementJobs } from './features/settlement/index.ts'
import type { Transfers } from './features/transfers/index.ts'
import type { Sealer } from './platform/crypto/seal.ts'
import { mount } from './platform/http/mount.ts'
import type { Log } from './platform/log/log.ts'
import type { Database } from './tables.ts'

type Options = {
  config: Config
  db: Database
  sealer: Sealer
  gateways: Gateways
  now: () => Date
  log: Log
  accounts: Accounts
  audit: Audit
  catalog: Catalog
  codes: Codes
  emojiIds: EmojiIds
  lootboxSales: LootboxSales
  notifications: Notifications
  organizations: Organizations
  transfers: Transfers
}

/** From a cart to an owner: everything around money. */
export function createShop(options: Options) {
  const { config, db, sealer, gateways, now, log, accounts, audit } = options
  const { catalog, codes, emojiIds, lootboxSales, notifications, organizations, transfers } =
    options
  const ledger = createLedger({ db, sealer, now })
  const savedCards = createSavedCards({ db, cards: gateways.card })
  const payments = createPayments({ db, sealer, gateways, savedCards, ledger, now })
  const orders = createOrders({
    db,
    accounts,
    emojiIds,
    codes,
    ledger,
    lootboxSales,
    payments,
    notifications,
    audit,
    now,
  })
  const settlement = createSettlement({
    db,
    accounts,
    emojiIds,
    ledger,
    lootboxSales,
    payments,
    orders,
    notifications,
    now,
    log,
  })
  const carts = createCarts({
    db,
    catalog,
    lootboxSales,
    orders,
    organizations,
    settlement,
    now,
    companyFeePercent: config.company_fee_percent,
  })
  const checkout = createCheckout({
    db,
    accounts,
    audit,
    carts,
    catalog,
    emojiIds,
    ledger,
    lootboxSales,
    orders,
    payments,
    savedCards,
    settlement,
    now,
    holdMs: config.cart_ttl_ms,
    freeCeiling: config.free_ceiling_cents,
    secondFactorAbove: config.checkout_2fa_cents,
    cashFourEyes: config.cash_four_eyes,
  })
  const promotions = createPromotions({
    db,
    carts,
    catalog,
    checkout,
    codes,
    emojiIds,
    lootboxSales,
    orders,
    payments,
    settlement,
    now,
    drawKey: sealer.derive('random codes'),
  })
  const refunds = createRefunds({
    db,
    accounts,
    emojiIds,
    ledger,
    lootboxSales,
    orders,
    payments,
    settlement,
    notifications,
    audit,
    now,
  })
  const disputes = createDisputes({
    db,
    accounts,
    organizations,
    emojiIds,
    ledger,
    lootboxSales,
    orders,
    payments,
    transfers,
    notifications,
    audit,
    now,
    webUrl: config.web_url,
  })
  const routes: FastifyPluginAsync[] = [
    mount(cartRoutes, { carts }),
    mount(checkoutRoutes, { checkout }),
    mount(promotionRoutes, { promotions }),
    mount(orderRoutes, { orders }),
    mount(refundRoutes, { refunds }),
    mount(disputeRoutes, { disputes }),
    mount(savedCardRoutes, { savedCards }),
    mount(paymentRoutes, { payments }),
  ]
  const jobs = [
    emojiIdJobs(emojiIds),
    paymentJobs(payments),
    settlementJobs(settlement),
    ledgerJobs(ledger),
  ]
  const taskRules = { ...ledgerTaskRules(ledger, payments.recoverRefund), ...paymentTaskRules }
  return { routes, jobs, taskRules, carts, ledger }
}
