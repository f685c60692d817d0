import {
  applicationListTexts,
  applicationTexts,
  newApplicationTexts,
} from './admin-applications.ts'
import { auditEvents, auditTexts } from './admin-audit.ts'
import { codeFormTexts, codeTexts } from './admin-codes.ts'
import { disputeListTexts, disputeTexts } from './admin-disputes.ts'
import { adminFrameTexts, userListTexts } from './admin-frame.ts'
import { jobTexts } from './admin-jobs.ts'
import {
  boxTexts,
  drawTexts,
  fillTexts,
  lootboxTexts,
  lootboxTypeTexts,
  newLootboxTypeTexts,
  oddsTexts,
} from './admin-lootboxes.ts'
import { orderListTexts, orderPageTexts } from './admin-orders.ts'
import {
  brandingTexts,
  memberTexts,
  organizationListTexts,
  organizationTexts,
} from './admin-organizations.ts'
import { newPriceTexts, priceTexts } from './admin-prices.ts'
import { tokenTexts } from './admin-tokens.ts'
import { userTexts } from './admin-user.ts'

/** Every sentence of the operators' pages. Apart from the others, which everybody loads first. */
export const adminTexts = {
  frame: adminFrameTexts,
  users: userListTexts,
  user: userTexts,
  orders: orderListTexts,
  order: orderPageTexts,
  disputes: disputeListTexts,
  dispute: disputeTexts,
  codes: codeTexts,
  codeForm: codeFormTexts,
  audit: auditTexts,
  auditEvents,
  jobs: jobTexts,
  tokens: tokenTexts,
  lootboxTypes: lootboxTypeTexts,
  newLootboxType: newLootboxTypeTexts,
  odds: oddsTexts,
  lootboxes: lootboxTexts,
  draw: drawTexts,
  fill: fillTexts,
  box: boxTexts,
  prices: priceTexts,
  newPrices: newPriceTexts,
  organizations: organizationListTexts,
  organization: organizationTexts,
  branding: brandingTexts,
  members: memberTexts,
  applications: applicationListTexts,
  newApplication: newApplicationTexts,
  application: applicationTexts,
} as const
