import { accountFrameTexts, ownIdTexts } from './account-frame.ts'
import { pageDataTexts, pictureTexts } from './account-page.ts'
import { historyTexts, proofTexts, recordEditorTexts } from './account-records.ts'
import { delayLockTexts } from './delay-lock.ts'
import { interestTexts } from './interests.ts'
import { keyTexts } from './keys.ts'
import { proofTexts as boxProofTexts } from './lootbox-proof.ts'
import { boxTexts, lootboxTexts, oddsTexts } from './lootboxes.ts'
import { moneyBackTexts, ownOrderTexts, paymentMethodTexts, receiptTexts } from './orders.ts'
import { profileTexts } from './profile.ts'
import { salesTexts } from './sales.ts'
import { securityTexts } from './security.ts'
import { transferTexts } from './transfers.ts'

/** Every sentence of the account's pages. Apart from the others, which everybody loads first. */
export const accountTexts = {
  frame: accountFrameTexts,
  ids: ownIdTexts,
  records: recordEditorTexts,
  delayLock: delayLockTexts,
  history: historyTexts,
  proof: proofTexts,
  pageData: pageDataTexts,
  pictures: pictureTexts,
  orders: ownOrderTexts,
  sales: salesTexts,
  receipt: receiptTexts,
  moneyBack: moneyBackTexts,
  paymentMethods: paymentMethodTexts,
  lootboxes: lootboxTexts,
  box: boxTexts,
  odds: oddsTexts,
  boxProof: boxProofTexts,
  interests: interestTexts,
  keys: keyTexts,
  profile: profileTexts,
  security: securityTexts,
  transfers: transferTexts,
} as const
