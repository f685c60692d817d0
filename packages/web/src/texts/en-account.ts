import { accountFrameTexts, ownIdTexts } from './account-frame.ts'
import { pageDataTexts, pictureTexts } from './account-page.ts'
import { historyTexts, proofTexts, recordEditorTexts } from './account-records.ts'

/** Every sentence of the account's pages. Apart from the others, which everybody loads first. */
export const accountTexts = {
  frame: accountFrameTexts,
  ids: ownIdTexts,
  records: recordEditorTexts,
  history: historyTexts,
  proof: proofTexts,
  pageData: pageDataTexts,
  pictures: pictureTexts,
} as const
