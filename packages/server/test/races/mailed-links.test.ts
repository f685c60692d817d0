import { beforeAll, describe, expect, it } from 'vitest'
import { runInLockOrder } from '../support/in-line.ts'
import { linkKinds, stateOf } from '../support/mailed-links.ts'
import {
  callsWith,
  goodPassword,
  type MailedService,
  newEmail,
  press,
  register,
  submit,
  type Tokens,
} from '../support/people.ts'
import { sharedMailedService } from '../support/shared-service.ts'

let service: MailedService
beforeAll(async () => {
  service = await sharedMailedService()
})

type Answer = Awaited<ReturnType<typeof submit>>
const atOnce = (count: number, work: (nth: number) => Promise<Answer>) =>
  Promise.all(Array.from({ length: count }, (_, nth) => work(nth)))
const statuses = (answers: Answer[]) => answers.map(({ status }) => status).sort()
const oneOf = (count: number, success: number, refusal: number) => [
  success,
  ...Array<number>(count - 1).fill(refusal),
]

/** Opens a sign-in link, up to the choice of a first password. */
async function signIn(email: string, count = 1): Promise<string> {
  const choice = await press(service, await service.linkTo(email, count))
  return /name="token" value="([^"]+)"/.exec(choice.body)?.[1] ?? ''
}

describe('of 4 concurrent uses of one link', () => {
  it.each(linkKinds)('one succeeds: $name', async ({ mail }) => {
    const { use } = await mail(service)
    expect(statuses(await atOnce(4, () => use()))).toEqual(oneOf(4, 200, 422))
  })

  it('one sets the first password', async () => {
    const { email } = await register(service, { password: null })
    const token = await signIn(email)
    const password = (nth: number) => `the choice of number ${nth}`
    const answers = await atOnce(4, (nth) =>
      submit(service, '/auth/first_password', { token, password: password(nth) }),
    )
    expect(statuses(answers)).toEqual(oneOf(4, 303, 422))
    const winner = answers.findIndex(({ status }) => status === 303)
    const login = await service.post('/api/auth/token', { email, password: password(winner) })
    expect(login.status).toBe(200)
  })

  it('one continues to the web site, and one gets tokens there', async () => {
    const { email } = await register(service, { password: null })
    const token = await signIn(email)
    const answers = await atOnce(4, () => submit(service, '/auth/first_password/skip', { token }))
    expect(statuses(answers)).toEqual(oneOf(4, 303, 422))
    const location = answers.find(({ status }) => status === 303)?.headers.get('location') ?? ''
    const code = new URL(location).searchParams.get('code')
    const exchangedAnswers = await atOnce(4, () => service.post('/api/auth/exchange', { code }))
    expect(statuses(exchangedAnswers)).toEqual(oneOf(4, 200, 401))
  })
})

describe('a link', () => {
  it('followed while its account ends all other sessions leaves no session', async () => {
    const { id, email } = await register(service, { password: null })
    const codeOf = async (count: number) => {
      const token = await signIn(email, count)
      const answer = await submit(service, '/auth/first_password/skip', { token })
      return new URL(answer.headers.get('location') ?? '').searchParams.get('code')
    }
    const exchange = (code: string | null) => service.post('/api/auth/exchange', { code })
    const owner = callsWith(service, (await exchange(await codeOf(1))).json<Tokens>())
    const endOthers = () => owner.delete('/api/account/sessions')
    await service.post('/api/auth/magic_link', { email })
    const earlyCode = await codeOf(2)
    const early = () => exchange(earlyCode)
    const [earlyAnswer, endAnswer] = await runInLockOrder(service, id, early, endOthers)
    expect([earlyAnswer?.status, endAnswer?.status]).toEqual([200, 200])
    const earlyCaller = callsWith(service, earlyAnswer?.json<Tokens>() ?? { access_token: '' })
    expect((await earlyCaller.get('/api/account')).status).toBe(401)

    await service.post('/api/auth/magic_link', { email })
    const lateCode = await codeOf(3)
    const answers = await runInLockOrder(service, id, endOthers, () => exchange(lateCode))
    expect(answers.map(({ status }) => status)).toEqual([200, 401])
    expect((await owner.get('/api/account/sessions')).json()).toHaveLength(1)
  })

  it('used while the next one is being sent is void, and blocks nothing', async () => {
    const { id, email } = await register(service, { password: null })
    const link = await service.linkTo(email)
    const askAgain = async () => {
      await service.post('/api/auth/magic_link', { email })
      return service.linkTo(email, 2)
    }
    let useAnswer: Answer | undefined
    const useFirst = async () => {
      useAnswer = await press(service, link)
      return link
    }
    const [second] = await runInLockOrder(service, id, askAgain, useFirst)

    expect(useAnswer?.status).toBe(422)
    expect((await press(service, second ?? '')).status).toBe(200)
  })

  it('used just after a password change leaves the address unchanged', async () => {
    const { id, patch, ...person } = await register(service)
    const email = newEmail()
    await patch('/api/account', { email, current_password: goodPassword })
    const link = await service.linkTo(email)
    const change = { password: 'quite another password', current_password: goodPassword }
    const [changeAnswer, useAnswer] = await runInLockOrder(
      service,
      id,
      () => patch('/api/account', change),
      () => press(service, link),
    )
    expect([changeAnswer?.status, useAnswer?.status]).toEqual([200, 422])
    expect((await stateOf(service, id)).email).toBe(person.email)
  })
})
