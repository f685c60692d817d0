import { randomBytes } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Application, newApplication, newBrowser } from '../support/applications.ts'
import { registerAs, submit } from '../support/people.ts'
import { stopRefillInTest } from '../support/refill.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let application: Application
beforeAll(async () => {
  service = await sharedService()
  application = await newApplication(service, await registerAs(service, 'Super'))
})

const guess = () => randomBytes(32).toString('base64url')

describe('guessing sign-in links is limited to a hundred tries a minute (T30)', () => {
  it('limits opening them', async () => {
    stopRefillInTest()
    const answers = []
    for (let nth = 0; nth < 101; nth++)
      answers.push(await service.get(application.at({ refresh_token: guess() }, '/magic_link')))
    const statuses = answers.map(({ status }) => status)
    expect(statuses).toEqual([...Array(100).fill(422), 429])
    const last = answers.at(-1)
    expect(Number(last?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(last?.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect((await service.get('/api/emoji')).status).toBe(200)
  })

  it('limits pressing their button and requests for links as well', async () => {
    const button = await submit(service, '/auth/magic_link', { refresh_token: guess() })
    const browser = newBrowser(service)
    await browser.open(application.at())
    const path = application.at({}, '/authorize/link')
    const request = await browser.send(path, { email: 'unknown@example.com' })
    for (const [{ status, headers }, expected] of [
      [button, 422],
      [request, 303],
    ] as const) {
      expect([status, headers.get('ratelimit-limit')]).toEqual([expected, '100'])
      expect(headers.get('ratelimit-remaining')).toBe('99')
    }
  })
})
