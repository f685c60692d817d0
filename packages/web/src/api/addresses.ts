const read = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? ''

/** Where everything is; the server writes it into the page. */
export const addresses = { api: read('api'), auth: read('auth'), web: read('web') }
