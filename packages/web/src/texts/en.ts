import { cartTexts } from './checkout.ts'
import { codeTexts, frameTexts, keptMailsTexts, problemTexts } from './frame.ts'
import { confirmTexts, listTexts, recordTexts } from './parts.ts'
import { search } from './search.ts'
import { signInTexts } from './sign-in.ts'

/** Every sentence that everybody loads first: those of parts that come later are beside it. */
export const texts = {
  name: 'Emoji Id Directory',
  waiting: 'One moment …',
  copied: 'Copied',
  frame: frameTexts,
  code: codeTexts,
  session: {
    somebodyElse: 'Somebody else signed in in another window. This page loads anew.',
  },
  keptMails: keptMailsTexts,
  problems: problemTexts,
  signIn: signInTexts,
  cart: cartTexts,
  notFound: {
    title: 'There is nothing here',
    text: 'The address may be mistyped.',
    home: 'Find an emoji id',
  },
  broken: {
    title: 'Something broke on our side',
    text: 'It is not your fault. Try again, or load the page anew.',
    notLoaded: 'This page could not be loaded',
    again: 'Try again',
  },
  list: listTexts,
  confirm: confirmTexts,
  records: recordTexts,
  search,
} as const
