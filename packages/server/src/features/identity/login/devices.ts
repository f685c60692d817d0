import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

type Account = { id: string; email: string | null; password_hash: string | null }

/** A browser with a device cookie. */
type Device = {
  user_id: string
  /** The throttle counts failures per device. */
  id: string
  /** Whether the cookie was signed for this account and its current password. */
  isOf(account: Account): boolean
}

const uuid = '([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})'
const cookieFormat = new RegExp(`^${uuid}\\.${uuid}\\.([\\w-]{43})$`)

/**
 * Creates the device cookie of a browser that signed in; a known device keeps its id. The cookie is no
 * credential: it exempts the browser from the throttle of its account. A new password or address
 * invalidates it.
 */
export function signDeviceCookie(key: Buffer, account: Account, knownDevice?: Device): string {
  const id = knownDevice?.id ?? randomUUID()
  return `${account.id}.${id}.${signDevice(key, id, account).toString('base64url')}`
}

export function readDeviceCookie(key: Buffer, text: string | undefined): Device | undefined {
  const [, user_id, id, signature] = cookieFormat.exec(text ?? '') ?? []
  if (!user_id || !id || !signature) return undefined
  const mac = Buffer.from(signature, 'base64url')
  const isOf = (account: Account) =>
    account.id === user_id && timingSafeEqual(mac, signDevice(key, id, account))
  return { user_id, id, isOf }
}

const signDevice = (key: Buffer, id: string, account: Account): Buffer =>
  createHmac('sha256', key)
    .update(`${account.id} ${id} ${account.email} ${account.password_hash}`)
    .digest()
