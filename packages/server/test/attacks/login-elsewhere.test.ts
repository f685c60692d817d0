import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { loginNameOf } from '../../src/features/identity/accounts/accounts.ts'
import { signDeviceCookie } from '../../src/features/identity/login/devices.ts'
import { nameSubjects, networkSubjects } from '../../src/features/identity/throttle/throttle.ts'
import { networkOf } from '../../src/platform/http/network.ts'
import { goodPassword, type MailedService, newcomer, newEmail, press } from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'
import { stopTheClock } from '../support/stopped-clock.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})
beforeEach(() => service.db.deleteFrom('login_failures').execute())

const newUser = () => newcomer(service, { password: goodPassword })
const wrong = 'not the password of anybody'
type Try = { email: string; password?: string; from: string; device?: string | undefined }
const tryLogin = ({ email, password = wrong, from, device }: Try) =>
  service.post(
    '/api/auth/token',
    { email, password },
    { headers: { 'x-forwarded-for': from, ...(device ? { cookie: device } : {}) } },
  )
/** Leaves the counts as after this many failures from many networks. */
const failElsewhere = async (email: string, failures: number) => {
  const from = '10.9.0.1'
  await tryLogin({ email, from })
  const name = loginNameOf({ email, alternate_id: null })
  const counter = await service.db
    .updateTable('login_failures')
    .set({ failures })
    .where('subject', '=', nameSubjects(name, networkOf(from))[1].key)
    .executeTakeFirstOrThrow()
  expect(counter.numUpdatedRows).toBe(1n)
}
const fail = async (times: number, attempt: Try) => {
  for (let n = 0; n < times; n++) await tryLogin(attempt)
}
const deviceIn = (answer: Awaited<ReturnType<typeof tryLogin>>) =>
  /__Host-svc_device=[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0]

describe('an attacker who guesses a password', () => {
  beforeEach(stopTheClock)

  it('locks the account for one network only', async () => {
    const { email, password } = await newUser()
    await fail(11, { email, from: '203.0.113.7' })

    expect((await tryLogin({ email, password, from: '203.0.113.99' })).status).toBe(429)
    expect((await tryLogin({ email, password, from: '198.51.100.1' })).status).toBe(200)
  })

  it('an attacker who guesses a password cannot lock it for another network by a name that looks like name and network', async () => {
    const { email, password } = await newUser()
    await fail(11, { email: `${email} from 203.0.113`, from: '10.7.0.1' })
    await fail(1, { email, from: '203.0.113.7' })

    expect((await tryLogin({ email, password, from: '203.0.113.7' })).status).toBe(200)
  })

  it('an attacker who guesses a password is stopped after 100 failures over all networks, for known and unknown names', async () => {
    const { email } = await newUser()
    for (const name of [email, newEmail()]) {
      await failElsewhere(name, 98)
      const statuses: number[] = []
      for (let n = 1; n < 4; n++)
        statuses.push((await tryLogin({ email: name, from: `10.9.${n}.1` })).status)
      expect(statuses).toEqual([401, 401, 429])
    }
  })

  it('an attacker who guesses a password is stopped after 400 failures of a wide network, but no browser with a device cookie is', async () => {
    const { email, password } = await newUser()
    const device = deviceIn(await tryLogin({ email, password, from: '2001:db8:7:1::1' }))
    const networkSubject = networkSubjects(networkOf('2001:db8:7:1::1'))[1]
    const at = service.clock.now()
    await service.db
      .insertInto('login_failures')
      .values({
        subject: networkSubject.key,
        name: null,
        failures: 398,
        last_at: at,
        blocked_until: null,
      })
      .execute()
    const statuses: number[] = []
    for (let n = 2; n < 5; n++)
      statuses.push((await tryLogin({ email: newEmail(), from: `2001:db8:7:${n}::1` })).status)

    expect(statuses).toEqual([401, 401, 429])
    expect((await tryLogin({ email, password, from: '2001:db8:7:9::1' })).status).toBe(429)
    expect((await tryLogin({ email, password, from: '2001:db8:8:1::1' })).status).toBe(200)
    expect((await tryLogin({ email, password, from: '2001:db8:7:9::1', device })).status).toBe(200)
  })

  it('an attacker who guesses a password does not lock out a browser with a device cookie, which has its own ten failures', async () => {
    const { email, password } = await newUser()
    const device = deviceIn(await tryLogin({ email, password, from: '192.0.2.1' }))
    await failElsewhere(email, 100)
    await fail(11, { email, from: '192.0.2.1' })

    expect(device).toBeDefined()
    expect((await tryLogin({ email, password, from: '192.0.2.1' })).status).toBe(429)
    expect((await tryLogin({ email, password, from: '192.0.2.1', device })).status).toBe(200)
    await fail(11, { email, from: '192.0.2.1', device })
    expect((await tryLogin({ email, password, from: '192.0.2.1', device })).status).toBe(429)
    expect((await tryLogin({ email, password, from: '198.51.100.4', device })).status).toBe(429)
  })

  it('an attacker who guesses a password cannot use a device cookie of another account or a forged one', async () => {
    const [anna, bert] = [await newUser(), await newUser()]
    const own = deviceIn(await tryLogin({ ...bert, from: '192.0.2.1' }))
    await fail(11, { email: anna.email, from: '192.0.2.1' })
    const invented = signDeviceCookie(Buffer.alloc(32), {
      id: anna.id,
      email: null,
      password_hash: null,
    })
    const [, of_bert = ''] = own?.split('=') ?? []
    const renamed = of_bert.replace(bert.id, anna.id)

    const noId = of_bert.replace(bert.id, '-'.repeat(36))
    for (const text of [of_bert, invented, renamed, noId, '', 'x'.repeat(5_000), '..'])
      expect(
        (await tryLogin({ ...anna, from: '192.0.2.1', device: `__Host-svc_device=${text}` }))
          .status,
      ).toBe(429)
  })

  it('an attacker who guesses a password does not lock the owner out after a password reset, which invalidates device cookies', async () => {
    const { email, password } = await newUser()
    const device = deviceIn(await tryLogin({ email, password, from: '192.0.2.1' }))
    await failElsewhere(email, 100)
    await fail(11, { email, from: '192.0.2.1' })
    await service.post('/api/auth/password_reset', { email })
    const fresh = `${goodPassword} anew`
    await press(service, await service.linkTo(email), undefined, { password: fresh })

    expect((await tryLogin({ email, password: fresh, from: '192.0.2.1' })).status).toBe(200)
    await fail(11, { email, from: '192.0.2.1' })
    const late = await tryLogin({ email, password: fresh, from: '192.0.2.1', device })
    expect(late.status).toBe(429)
  })
})

describe('logins from one network', () => {
  it('logins from one network do not delay a login from another network', async () => {
    const { email, password } = await newUser()
    const order: string[] = []
    const flood = Array.from({ length: 30 }, async (_, n) => {
      const { status } = await tryLogin({ email: newEmail(), from: `203.0.113.${n}` })
      order.push('flood')
      return status
    })
    const owner = tryLogin({ email, password, from: '198.51.100.9' }).then((answer) => {
      order.push('owner')
      return answer
    })

    expect((await owner).status).toBe(200)
    expect(order.filter((personName) => personName === 'flood').length).toBeLessThan(15)
    expect(new Set(await Promise.all(flood))).not.toContain(500)
  })
})
