import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto'

type Account = { id: string; password_hash: string | null }

/** A browser that an account was opened with, by what it keeps since. */
export type Device = {
  user_id: string
  /** Its own, so that its failures are counted for it alone. */
  id: string
  /** Whether it is what this account's browser was given, under the password that it has now. */
  opens(account: Account): boolean
}

/**
 * What a browser keeps of a login. It opens nothing: it only tells the owner's browser from a
 * stranger while somebody guesses the password, and it ends with the password.
 */
export function createDevices(key: Buffer) {
  const seal = (id: string, { id: user_id, password_hash }: Account): Buffer =>
    createHmac('sha256', key).update(`${user_id} ${id} ${password_hash}`).digest()

  return {
    /** The same device again where it is known. */
    textFor(account: Account, known?: Device): string {
      const id = known?.id ?? randomUUID()
      return `${account.id}.${id}.${seal(id, account).toString('base64url')}`
    },

    read(text: string | undefined): Device | undefined {
      const [, user_id, id, sealed] = form.exec(text ?? '') ?? []
      if (!user_id || !id || !sealed) return undefined
      const given = Buffer.from(sealed, 'base64url')
      const opens = (account: Account) =>
        account.id === user_id && timingSafeEqual(given, seal(id, account))
      return { user_id, id, opens }
    },
  }
}

const uuid = '([\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12})'
const form = new RegExp(`^${uuid}\\.${uuid}\\.([\\w-]{43})$`)
