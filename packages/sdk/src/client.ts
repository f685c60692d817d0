import { recordHash } from '@emojid/core'
import type { DirectoryRecord } from './directory/answers.ts'
import { createDirectory } from './directory/directory.ts'
import type { Directory, Verify } from './directory/types.ts'
import { InvalidRequestError, UnexpectedAnswerError } from './errors.ts'
import { type ConnectionOptions, createConnection, readTokens } from './http/connection.ts'
import { parseId } from './ids.ts'
import { type Payment, type PaymentWish, paymentFrom, readWish } from './payment.ts'
import { type Api, createApi } from './resources.ts'

export type ClientOptions = ConnectionOptions & {
  /**
   * `verifyProof` of `@emojid/sdk/verify`: verifies every lookup and payment by the owner's
   * signature.
   */
  verify?: Verify
}

type Login = { email: string; password: string } | { alternate_id: string; password: string }

/** The second factor that the sign-in still needs a code of, if any. */
export type LoginState = { requires_2fa: 'AuthenticatorApp' | 'SMS' | null }

export type Client = Directory & {
  /**
   * The address to pay and the link that opens a wallet. Throws `NoAddressError` if there is no
   * address.
   */
  pay(id: string, wish: PaymentWish & { signal?: AbortSignal }): Promise<Payment>
  /** The whole API, typed by its description. */
  api: Api
  /** Signs in with a password and stores the tokens in `tokens`. */
  logIn(who: Login): Promise<LoginState>
  /** Submits the code that a sign-in needs, or that a refusal with status 424 asks for. */
  giveCode(code: string): Promise<LoginState>
  /** Ends all sessions of the account. */
  logOut(): Promise<void>
}

export function createClient({ verify, ...options }: ClientOptions): Client {
  const connection = createConnection(options)
  const directory = createDirectory(connection, { verify, checkHashes })
  const api = createApi(connection)

  const kept = () => {
    const { tokens } = connection
    if (!tokens)
      throw new InvalidRequestError('Pass tokens to createClient: memoryTokens() to sign in.')
    return tokens
  }
  const keep = async (answer: LoginState): Promise<LoginState> => {
    await kept().save(readTokens(answer))
    return { requires_2fa: answer.requires_2fa ?? null }
  }

  return {
    ...directory,
    api,
    async pay(text, given) {
      const id = parseId(text)
      const wish = readWish(given)
      const { signal } = given
      const found = await directory.lookup(id, { ...(signal ? { signal } : {}) })
      return paymentFrom(id, found.records, wish, { isProven: found.proven_by !== undefined })
    },
    async logIn(who) {
      kept()
      return keep(await api.sessions.login({ body: who }))
    },
    async giveCode(code) {
      const { refresh_token } = (await kept().load()) ?? {}
      if (!refresh_token) throw new InvalidRequestError('Sign in first.')
      return keep(await api.sessions.giveCode({ body: { code, refresh_token } }))
    },
    async logOut() {
      await api.sessions.logout()
      await kept().save(undefined)
    },
  }
}

function checkHashes(records: readonly DirectoryRecord[]): void {
  const strange = records.find(({ tag, data, hash }) => recordHash(tag, data) !== hash)
  if (strange)
    throw new UnexpectedAnswerError(`A record (${strange.tag}) has the hash of another one.`)
}
