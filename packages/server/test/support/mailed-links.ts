import {
  goodPassword,
  type MailedService,
  newcomer,
  newEmail,
  press,
  register,
  submit,
} from './people.ts'

type Headers = Record<string, string>
type MailedLink = {
  link: string
  owner_id: string
  /** Submits the form behind the link, without opening its page before. */
  use(headers?: Headers): ReturnType<typeof submit>
}
export type LinkKind = {
  name: string
  path: string
  lastsMs: number
  mail(service: MailedService): Promise<MailedLink>
}

const minute = 60_000
const password = 'a password from a mailed link'
const newUser = (service: MailedService) => newcomer(service, { password: goodPassword })

/** Every kind of emailed link, and the actions of its buttons. */
export const linkKinds: LinkKind[] = [
  {
    name: 'sign in',
    path: '/auth/magic_link',
    lastsMs: 10 * minute,
    async mail(service) {
      const email = newEmail()
      const { id } = await register(service, { email, password: null })
      return createMailedLink(service, id, await service.linkTo(email))
    },
  },
  {
    name: 'confirm an address',
    path: '/auth/confirm_email',
    lastsMs: 24 * 60 * minute,
    async mail(service) {
      const { id, email } = await register(service)
      return createMailedLink(service, id, await service.linkTo(email))
    },
  },
  {
    name: 'say "this was not me"',
    path: '/auth/confirm_email/disown',
    lastsMs: 24 * 60 * minute,
    async mail(service) {
      const { id, email } = await register(service)
      return createMailedLink(service, id, await service.linkTo(email), '/disown')
    },
  },
  {
    name: 'set a new password',
    path: '/auth/reset_password',
    lastsMs: 60 * minute,
    async mail(service) {
      const { id, email } = await newUser(service)
      await service.post('/api/auth/password_reset', { email })
      return createMailedLink(service, id, await service.linkTo(email))
    },
  },
  {
    name: 'change the address',
    path: '/auth/change_email',
    lastsMs: 24 * 60 * minute,
    async mail(service) {
      const person = await newUser(service)
      const email = newEmail()
      await person.patch('/api/account', { email, current_password: person.password })
      return createMailedLink(service, person.id, await service.linkTo(email))
    },
  },
  {
    name: 'take back a changed address',
    path: '/auth/not_me',
    lastsMs: 3 * 24 * 60 * minute,
    async mail(service) {
      const person = await newcomer(service, { password: goodPassword, isVerified: true })
      const email = newEmail()
      await person.patch('/api/account', { email, current_password: person.password })
      await press(service, await service.linkTo(email))
      return createMailedLink(service, person.id, await service.linkTo(person.email, 2))
    },
  },
  {
    name: 'disavow an API key',
    path: '/auth/not_me',
    lastsMs: 3 * 24 * 60 * minute,
    async mail(service) {
      const person = await newUser(service)
      await person.post('/api/api_keys', { name: 'not by them' })
      return createMailedLink(service, person.id, await service.linkTo(person.email))
    },
  },
]

function createMailedLink(
  service: MailedService,
  owner_id: string,
  link: string,
  button = '',
): MailedLink {
  const { pathname } = new URL(link, service.address)
  const fields = { ...fieldsOf(link), password }
  return {
    link,
    owner_id,
    use: (headers) => submit(service, `${pathname}${button}`, fields, headers),
  }
}

/** The token in a link, under the field name of its form. */
export const fieldsOf = (link: string): Record<string, string> =>
  Object.fromEntries(new URL(link, 'http://localhost').searchParams)

/** All state of a user that a link could change. */
export const stateOf = (service: MailedService, id: string) =>
  service.db
    .selectFrom('users')
    .select(['email', 'email_verified_at', 'claimed_at', 'password_hash', 'epoch'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
