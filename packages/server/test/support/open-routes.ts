const lookup = '/api/emoji_id/{id}'

/** Requests that must respond 451 while `{id}` is suspended. The stress program sends them too. */
export const suspendableRequests: Readonly<Record<string, readonly string[]>> = {
  'GET /api/emoji_id/{}': [lookup, `${lookup}?tags=0x1003`],
  'GET /api/emoji_id/{}/{}': [`${lookup}/BTC`],
  'GET /api/emoji_id/{}/payment': [`${lookup}/payment`, `${lookup}/payment?token=USDC&network=ETH`],
  'GET /api/emoji_id/{}/proof': [`${lookup}/proof`],
  'GET /api/emoji_id/{}/history': [`${lookup}/history`],
  'GET /api/emoji_id/{}/json': [`${lookup}/json?keys=SvcLinkData`],
  'GET /api/emoji_id/{}/json/{}': [`${lookup}/json/SvcPageData`],
  'GET /api/redirect': ['/api/redirect?emoji_id={id}&link=https%3A%2F%2Fexample.com%2Fcrab'],
  'GET /{}(.*[^\\x00-\\x7f].*)': ['/{id}'],
  'GET /{}(.*[^\\x00-\\x7f].*)*': ['/{id}/shop'],
  'GET /art/ids/{}': ['/art/ids/{id}.png'],
}

export const suspendablePaths = (id: string): string[] =>
  Object.values(suspendableRequests)
    .flat()
    .map((path) => path.replace('{id}', encodeURIComponent(id)))

/** The lookups among them, which have an ETag. */
export const lookupPaths = (id: string): string[] =>
  suspendablePaths(id).filter((path) => path.startsWith('/api/emoji_id/'))

/** All other routes that need no sign-in, by the reason why a suspension does not change them. */
export const withoutSuspension: Readonly<Record<string, readonly string[]>> = {
  'tested by themselves: a batch responds per id, a picture has no id in its address': [
    'POST /api/emoji_id/lookup',
    'GET /api/pictures/{}',
  ],
  'facts of the emojis or of a token, which are the same for an id without an owner': [
    'GET /api/emoji_id/{}/metadata',
    'GET /api/emoji_id/{}/rhythm',
    'GET /api/nft_transfers/metadata/{}',
  ],
  'names ids, without their records': [
    'GET /api/emoji_id/search',
    'GET /api/emoji_id/random',
    'GET /api/emoji_id/recent',
    'GET /api/events',
    'POST /api/events/watch',
    'GET /find',
    'GET /sitemap.xml',
    'GET /sitemaps/{}',
  ],
  'reports an id, also a suspended one': ['POST /api/emoji_id/{}/reports', 'GET /report/{}'],
  'has no id': [
    'GET /api/emoji_id/',
    'GET /api/emoji',
    'GET /api/tags',
    'GET /api/auth/jwks',
    'GET /api/lootboxes/{}/proof',
    'GET /api/organizations/{}/branding',
    'POST /api/users',
    'POST /api/auth/token',
    'POST /api/auth/token/refresh',
    'POST /api/auth/magic_link',
    'POST /api/auth/password_reset',
    'POST /api/auth/exchange',
    'POST /api/auth/2fa',
    'POST /api/account/2fa/backup_disable',
    'POST /api/webhooks/{}',
    'GET /session/hand-over',
    'GET /session/passkeys',
    'GET /robots.txt',
    'GET /favicon.ico',
    'GET /art/directory.png',
    'GET /art/{}(^[0-9a-f-]{2,40}).svg',
    'GET /art/sheets/{}/{}(^[a-z0-9-]{2,40}).webp',
  ],
  'a page that reads ids through the API': [
    'GET /',
    'GET /*',
    'GET /account',
    'GET /account*',
    'GET /admin',
    'GET /admin*',
    'GET /cart',
    'GET /checkout',
    'GET /gift',
    'GET /orders/{}',
    'GET /partner/{}',
    'GET /partner/{}/',
    'GET /partner/{}/link-email',
    'GET /partner/{}/link-email/',
    'GET /partner/{}/manage',
    'GET /partner/{}/manage/',
    'GET /sign-in',
  ],
}
