const read = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''

/** Where everything is; the server writes it into the page. */
export const addresses = { api: read('api'), auth: read('auth'), web: read('web') }

/** What an id may cost that an account gets for nothing, in cents. */
export const freeCeiling = Number(read('free-ceiling'))

/** What is added to every price, in hundredths. */
export const companyFee = Number(read('company-fee'))

/** What tells people from programs; without a key nobody is asked. */
export const captcha = { key: read('captcha-key'), script: read('captcha-script') }

/** Where mails are read that never leave this machine; empty anywhere but in the demonstration. */
export const keptMails = read('kept-mails')
