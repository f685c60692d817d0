import { appViews, partnerViews, patternOf } from '@emojid/core'
import { refusal } from '../../../platform/errors.ts'

/** Matches our own pages only: the page of an emoji id may redirect to any site. */
const part = '(?:[A-Za-z0-9_~-]|%[89A-Fa-f][0-9A-Fa-f]|\\.(?!\\.))+'
const views = patternOf([...appViews, ...partnerViews], part)
const ownView = new RegExp(`^${views}(?:\\?[A-Za-z0-9_.~=&,:%+-]*)?$`)

/** A partner's data, which a browser stores itself. */
const partnerData = ['addresses', 'address_json']
/** A partner's token, also inside an encoded page: an attacker would sign the reader in with it. */
const partnerSecret = new RegExp(`refresh_token|[?&](?:${partnerData.join('|')})=`)

/**
 * The page that an emailed link leads to; undefined unless it is a page of our web site. Without a
 * partner's data: any stranger can request the link, with addresses of their own.
 */
export function emailedView(text: string): string | undefined {
  if (text.length > 1_000 || !ownView.test(text)) return undefined
  const [path = '', query = ''] = text.split('?', 2)
  const pairs = query.split('&').filter((pair) => {
    const [name = ''] = pair.split('=', 1)
    return !partnerData.includes(decode(name))
  })
  const view = pairs.join('&') === '' ? path : `${path}?${pairs.join('&')}`
  return partnerSecret.test(decodeAll(view)) ? undefined : view
}

const decode = (text: string): string =>
  text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Each pass shortens the text, so this ends. */
function decodeAll(text: string): string {
  const decoded = decode(text)
  return decoded === text ? text : decodeAll(decoded)
}

/** Accepts only pages of our web site, because a sign-in code is added to the URL. */
export function readRedirect(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined || text === '') return undefined
  const view = emailedView(text)
  if (view === undefined) throw invalidRedirect()
  return view
}

const invalidRedirect = () =>
  refusal(
    'invalid',
    'invalid_redirect',
    'redirect must be a page of our web site, such as /account, without a refresh_token.',
  )
