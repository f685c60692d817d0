import { captchaTexts } from './captcha.ts'
import { cartTexts, checkoutTexts, orderTexts } from './checkout.ts'
import { codeTexts, frameTexts, keptMailsTexts, problemTexts, signedOutTexts } from './frame.ts'
import { partnerTexts } from './partner.ts'
import { confirmTexts, listTexts, recordTexts } from './parts.ts'
import { search } from './search.ts'
import { signInTexts } from './sign-in.ts'

/** Every sentence that people read in the app, but for those of en-account.ts and en-admin.ts. */
export const texts = {
  name: 'Emoji Id Directory',
  waiting: 'One moment …',
  copied: 'Copied',
  frame: frameTexts,
  signedOut: signedOutTexts,
  code: codeTexts,
  session: {
    somebodyElse: 'Somebody else signed in in another window. This page loads anew.',
  },
  captcha: captchaTexts,
  keptMails: keptMailsTexts,
  problems: problemTexts,
  signIn: signInTexts,
  cart: cartTexts,
  checkout: checkoutTexts,
  order: orderTexts,
  partner: partnerTexts,
  notFound: {
    title: 'There is nothing here',
    text: 'The address may be mistyped.',
    home: 'Find an emoji id',
  },
  broken: {
    title: 'Something broke on our side',
    again: 'Try again',
  },
  list: listTexts,
  confirm: confirmTexts,
  records: recordTexts,
  search,
} as const
