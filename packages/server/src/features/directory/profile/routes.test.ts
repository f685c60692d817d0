import { expect, it } from 'vitest'
import { register } from '../../../../test/support/people.ts'
import { sharedService } from '../../../../test/support/shared-service.ts'

const service = await sharedService()

it('shows whether the account has a password', async () => {
  for (const [password, has_password] of [
    ['a password beyond guessing', true],
    [null, false],
  ] as const) {
    const person = await register(service, { password })
    expect((await person.get('/api/account')).json()).toMatchObject({ has_password })
  }
})
