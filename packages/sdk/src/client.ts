import { recordHash } from '@emojid/core'
import type { DirectoryRecord } from './directory/answers.ts'
import { createDirectory } from './directory/directory.ts'
import type { Directory, Verify } from './directory/types.ts'
import { InvalidRequestError, UnexpectedAnswerError } from './errors.ts'
import { type ConnectionOptions, createConnection, readTokens } from './http/connection.ts'
import { parseId } from './ids.ts'
import { type Payment, type PaymentWish, paymentFrom, readWish } from './payment.ts'
import { type Api, createApi } from './resources.ts'
import type { Watch } from './watch/types.ts'
import { createWatch } from './watch/watch.ts'

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
  /**
   * Calls back for every change of these ids while the program runs. It resumes after a lost
   * connection.
   */
  watch: Watch
  /** The whole API, typed by its description. */
  api: Api
  /** Signs in with a password and stores the tokens in `tokens`. */
  logIn(login: Login): Promise<LoginState>
  /** Submits the code that a sign-in needs, or that a refusal with status 424 asks for. */
  giveCode(code: string): Promise<LoginState>
  /** Ends all sessions of the account. */
  logOut(): Promise<void>
}

export function createClient({ verify, ...options }: ClientOptions): Client {
  const connection = createConnection(options)
  const directory = createDirectory(connection, { verify, checkHashes })
  const api = createApi(connection)

  const requireTokens = () => {
    const { tokens } = connection
    if (!tokens)
      throw new InvalidRequestError('Pass tokens to createClient: memoryTokens() to sign in.')
    return tokens
  }
  const keep = async (answer: LoginState): Promise<LoginState> => {
    await requireTokens().save(readTokens(answer))
    return { requires_2fa: answer.requires_2fa ?? null }
  }

  return {
    ...directory,
    api,
    watch: createWatch(connection),
    async pay(text, options) {
      const id = parseId(text)
      const wish = readWish(options)
      const { signal } = options
      const lookup = await directory.lookup(id, { ...(signal ? { signal } : {}) })
      return paymentFrom(id, lookup.records, wish, { isProven: lookup.proven_by !== undefined })
    },
    async logIn(login) {
      requireTokens()
      return keep(await api.sessions.login({ body: login }))
    },
    async giveCode(code) {
      const { refresh_token } = (await requireTokens().load()) ?? {}
      if (!refresh_token) throw new InvalidRequestError('Sign in first.')
      return keep(await api.sessions.giveCode({ body: { code, refresh_token } }))
    },
    async logOut() {
      await api.sessions.logout()
      await requireTokens().save(undefined)
    },
  }
}

function checkHashes(records: readonly DirectoryRecord[]): void {
  const strange = records.find(({ tag, data, hash }) => recordHash(tag, data) !== hash)
  if (strange)
    throw new UnexpectedAnswerError(`A record (${strange.tag}) has the hash of another one.`)
}
