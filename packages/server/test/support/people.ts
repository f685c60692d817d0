import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { GlobalRole } from '../../src/features/operations/access/access.ts'
import { type Answer, type TestService, testService } from './service.ts'
import { smtpSink } from './smtp.ts'
import { waitUntil } from './wait.ts'

export type Tokens = {
  access_token: string
  refresh_token: string
  has_password: boolean
  requires_2fa: string | null
}
export type Person = Awaited<ReturnType<typeof register>>
export type MailedService = Awaited<ReturnType<typeof mailedService>>

export const newEmail = (): string => `p-${randomUUID()}@example.com`
export const goodPassword = 'a password hard to guess'
export const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

/** A new user, with calls in their name. */
export async function register(service: TestService, body: Record<string, unknown> = {}) {
  const email = newEmail()
  const form = { email, password: goodPassword, ...body }
  const answer = await service.post('/api/users', form)
  if (answer.status !== 200) throw new Error(`Could not register: ${answer.body}`)
  const tokens = answer.json<Tokens>()
  const { sub: id = '' } = claimsOf(tokens.access_token)
  return { id, tokens, email: form.email, password: form.password, ...callsWith(service, tokens) }
}

/** A user in a service role with a confirmed mailbox, without emails. */
export const registerAs = (service: TestService, role: GlobalRole) =>
  enroll(service, { role, password: goodPassword, isVerified: true })

/** A new user without emails, for tests that are not about registering. */
export const newcomer = (
  service: TestService,
  { password = null as string | null, isVerified = false } = {},
) => enroll(service, { role: 'User', password, isVerified })

type AccountInput = { role: GlobalRole; password: string | null; isVerified: boolean }
async function enroll(service: TestService, account: AccountInput): Promise<Person> {
  const email = newEmail()
  const { id, tokens } = await service.enroll({ email, ...account })
  return { id, tokens, email, password: account.password ?? '', ...callsWith(service, tokens) }
}

export async function logIn(
  service: TestService,
  { email, password }: { email: string; password: string },
) {
  const answer = await service.post('/api/auth/token', { email, password })
  if (answer.status !== 200) throw new Error(`Could not log in: ${answer.body}`)
  const tokens = answer.json<Tokens>()
  return { tokens, ...callsWith(service, tokens) }
}

/** The same session later, with a new access token: too old for what requires a recent sign-in. */
export async function later(service: TestService, { refresh_token }: Tokens, ms = 16 * 60_000) {
  service.clock.advance(ms)
  const answer = await service.post('/api/auth/token/refresh', { refresh_token })
  const tokens = answer.json<Tokens>()
  return { tokens, ...callsWith(service, tokens) }
}

/** Calls with an access token. */
export function callsWith(service: TestService, { access_token }: Pick<Tokens, 'access_token'>) {
  const credentials = bearer(access_token)
  return {
    get: (path: string) => service.get(path, credentials),
    post: (path: string, body?: unknown) => service.post(path, body, credentials),
    patch: (path: string, body?: unknown) => service.patch(path, body, credentials),
    put: (path: string, body?: unknown) => service.put(path, body, credentials),
    delete: (path: string) => service.delete(path, credentials),
  }
}

/** Calls with a new API key of `maker`. */
export async function callsWithKey(
  service: TestService,
  maker: Pick<Person, 'post'>,
  scopes?: string[],
) {
  const answer = await maker.post('/api/api_keys', { name: 'a key', ...(scopes ? { scopes } : {}) })
  const { id, api_key } = answer.json<{ id: string; api_key: string }>()
  const headers = { 'x-api-key': api_key }
  const call = (method: string) => (path: string, body?: unknown) =>
    service.call(method, path, { headers, body })
  const calls = { get: call('GET'), post: call('POST'), patch: call('PATCH'), put: call('PUT') }
  return { id, ...calls, delete: call('DELETE') }
}

export const claimsOf = (token: string): Record<string, string> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The service with its worker, and a real mail server that collects its emails. */
export async function mailedService(options: Parameters<typeof testService>[0] = {}) {
  const sink = await smtpSink()
  const env = { ROLES: 'api,auth,web,worker', SMTP_URL: sink.url, ...options.env }
  const service = await testService({ ...options, env })
  const mailsTo = (address: string) =>
    sink.received.filter(({ envelope }) => envelope.to.includes(address)).map(({ mail }) => mail)

  /** Mails overtake each other on their way. */
  const inQueueOrder = async (mails: ReturnType<typeof mailsTo>) => {
    if (mails.length < 2) return mails
    const idOf = ({ messageId }: { messageId?: string | undefined }) =>
      messageId?.slice(1).split('@', 1)[0]
    const rows = await service.db
      .selectFrom('messages')
      .select(['id', 'created_at'])
      .where(
        'id',
        'in',
        mails.map((mail) => idOf(mail) ?? ''),
      )
      .execute()
    const queuedAt = new Map(rows.map(({ id, created_at }) => [id, created_at.getTime()]))
    const timeOf = (mail: (typeof mails)[number]) => queuedAt.get(idOf(mail) ?? '') ?? 0
    return mails.toSorted((one, other) => timeOf(one) - timeOf(other))
  }

  return {
    ...service,
    sink,
    mailsTo,
    /** The latest mail to an address, once this many arrived. */
    async mailTo(address: string, count = 1) {
      const hasCome = () => mailsTo(address).length >= count
      await waitUntil(() => hasCome() || `${mailsTo(address).length} mails to ${address} so far`)
      return (await inQueueOrder(mailsTo(address)))[count - 1]
    },
    /** The latest link in an email, as a path of this service. */
    async linkTo(address: string, count = 1): Promise<string> {
      const mail = await this.mailTo(address, count)
      const link = /http:\/\/localhost:\d+(\/auth\/\S+)/.exec(mail?.text ?? '')?.[1]
      if (!link) throw new Error(`No link in: ${mail?.text}`)
      return link
    },
    /**
     * Waits until all jobs of earlier requests are done: a job is queued before its request is
     * answered.
     */
    async settle() {
      const countJobs = async () => {
        const jobs = await service.db
          // The queue's own table, which belongs to no feature.
          .selectFrom('graphile_worker.jobs' as 'messages')
          .select(({ fn }) => fn.countAll<string>().as('left'))
          // Excludes jobs scheduled for later, but includes failed jobs that will be retried.
          .where(
            sql<boolean>`locked_at is not null or
              ((run_at <= now() or attempts > 0) and attempts < max_attempts)`,
          )
          .executeTakeFirstOrThrow()
        return Number(jobs.left)
      }
      await waitUntil(async () => {
        const count = await countJobs()
        return count === 0 || `${count} jobs are not done`
      })
    },
    async close() {
      await service.close()
      await sink.close()
    },
  }
}

/**
 * Submits a form like a page of the authorization site. Returns the resulting page and the first
 * response.
 */
export async function submit(
  service: TestService,
  path: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<Answer> {
  const answer = await service.call('POST', path, {
    raw: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
  const next = /^http:\/\/localhost:\d+(\/auth\/.*)$/.exec(
    answer.headers.get('location') ?? '',
  )?.[1]
  const page = next ? await service.get(next) : answer
  return { ...page, first: answer }
}

/** Opens an emailed link and presses its first button, or the one that sends to `action`. */
export async function press(service: TestService, link: string, action?: string, more = {}) {
  const page = await service.get(link)
  const forms = [...page.body.matchAll(/<form[^>]*action="([^"]+)"[^>]*>(.*?)<\/form>/gs)]
  // The alternative that an expired link offers is a different action.
  const form = forms.find(([, target = '']) =>
    action === undefined ? !target.endsWith('/again') : target.endsWith(action),
  )
  if (!form) return page
  const path = new URL(form[1] ?? '').pathname
  const hidden = [...(form[2] ?? '').matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)]
  const fields = Object.fromEntries(hidden.map(([, name = '', value = '']) => [name, value]))
  return submit(service, path, { ...fields, ...more })
}

/** Follows the newest password-reset mail, and signs in with the new password. */
export async function setNewPassword(service: MailedService, email: string) {
  const password = 'the next password of theirs'
  await service.settle()
  const mails = service.mailsTo(email)
  const text = mails.findLast(({ subject }) => subject === 'Set a new password')?.text ?? ''
  const link = /http:\/\/localhost:\d+(\/auth\/reset_password\?token=\S+)/.exec(text)?.[1] ?? ''
  const set = await press(service, link, undefined, { password })
  if (set.status !== 200) throw new Error(`Could not set a password: ${set.body}`)
  return { text, ...(await logIn(service, { email, password })) }
}

/** A user with a confirmed mailbox. With a mail server they receive the welcome mail. */
export async function confirmedUser(
  service: TestService,
  { password = null as string | null } = {},
): Promise<Person> {
  if (!service.sendsMail) return newcomer(service, { password, isVerified: true })
  const person = await register(service, { password })
  await service.db
    .updateTable('users')
    .set({ email_verified_at: new Date() })
    .where('id', '=', person.id)
    .execute()
  return person
}
