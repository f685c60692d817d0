import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

type Account = { id: string; email: string | null; password_hash: string | null }

/** A browser with a device cookie. */
export type Device = {
  user_id: string
  /** The throttle counts failures per device. */
  id: string
  /** Whether the cookie was signed for this account and its present password. */
  isOf(account: Account): boolean
}

/**
 * Signs and reads device cookies. A cookie is no credential: it exempts a browser that logged in
 * before from the throttle of its account. A new password or address invalidates it.
 */
export function createDevices(key: Buffer) {
  const seal = (id: string, { id: user_id, email, password_hash }: Account): Buffer =>
    createHmac('sha256', key).update(`${user_id} ${id} ${email} ${password_hash}`).digest()

  return {
    /** Keeps the id of a known device. */
    textFor(account: Account, known?: Device): string {
      const id = known?.id ?? randomUUID()
      return `${account.id}.${id}.${seal(id, account).toString('base64url')}`
    },

    read(text: string | undefined): Device | undefined {
      const [, user_id, id, sealed] = form.exec(text ?? '') ?? []
      if (!user_id || !id || !sealed) return undefined
      const given = Buffer.from(sealed, 'base64url')
      const isOf = (account: Account) =>
        account.id === user_id && timingSafeEqual(given, seal(id, account))
      return { user_id, id, isOf }
    },
  }
}

const uuid = '([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})'
const form = new RegExp(`^${uuid}\\.${uuid}\\.([\\w-]{43})$`)
