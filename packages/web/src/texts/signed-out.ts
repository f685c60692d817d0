/** For who comes to a page that is not for everybody, or was signed out on it. */
export const signedOutTexts = {
  text: 'This is yours alone: sign in to see it. You come back here afterwards.',
  over: 'You were signed out meanwhile, so nothing was saved. Changes that you noted for an emoji id are kept in this window: sign in here, and go on with them.',
  register: 'Create an account',
}
