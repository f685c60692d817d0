import { accountFrameTexts, ownIdTexts } from './account-frame.ts'

/** Every sentence of the account's pages. Apart from the others, which everybody loads first. */
export const accountTexts = {
  frame: accountFrameTexts,
  ids: ownIdTexts,
} as const
