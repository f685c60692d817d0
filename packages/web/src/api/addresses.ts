export const read = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''

/** Base URLs; the server writes them into the page. */
export const addresses = { api: read('api'), auth: read('auth'), web: read('web') }

/** The highest price of an id that counts as free for an account, in cents. */
export const freeCeiling = Number(read('free-ceiling'))

/** Our fee on every price, in hundredths. */
export const companyFee = Number(read('company-fee'))

/** The captcha; without a key it is off. */
export const captcha = { key: read('captcha-key'), script: read('captcha-script') }

/** The mailbox of the demonstration; empty elsewhere. */
export const demoMailbox = read('kept-mails')
