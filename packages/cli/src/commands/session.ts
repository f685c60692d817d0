import { RefusedError } from '@emojid/sdk'
import type { Command, Context } from '../command.ts'
import { credentialsPath, fileTokens } from '../credentials.ts'
import { UsageError } from '../exit-codes.ts'

const login: Command = {
  name: 'login',
  about: 'Sign in with a password',
  details:
    'The password is not echoed. Without a terminal, it is the first line of standard input, and the code of a second factor is the next. Tokens are stored in credentials.json under XDG_CONFIG_HOME (~/.config/emojid), readable only by you. Scripts should use an API key: EMOJID_KEY.',
  options: {
    email: { type: 'string', value: 'address', about: 'your email address; default: asks for it' },
  },
  examples: ['emojid login --email anna@example.com'],
  async run(context, { text }) {
    const { client, ask, out, api, world, hasKey } = context
    if (hasKey) throw new UsageError('EMOJID_KEY is set, so there is no need to sign in.')
    const email = text('email') ?? (await ask.text('Email address'))
    const password = await ask.secret('Password')
    const { requires_2fa } = await client.logIn({ email: email.trim(), password })
    if (requires_2fa) await giveCode(context, requires_2fa)
    const { user } = await client.api.account.showAccount()
    out.show({ api, user_id: user.id, email: user.email }, () => [
      `Signed in as ${out.bold(user.email ?? user.id)}.`,
      out.faint(credentialsPath(world)),
    ])
  },
}

/** A code can be mistyped: a terminal asks again. */
async function giveCode(
  { client, ask, out, world, api }: Context,
  provider: string,
): Promise<void> {
  const question =
    provider === 'SMS' ? 'Code from the text message' : 'Code from your authenticator app'
  for (let triesLeft = ask.isTerminal ? 2 : 0; ; triesLeft--) {
    try {
      await client.giveCode((await ask.text(question)).trim())
      return
    } catch (error) {
      if (!(error instanceof RefusedError) || triesLeft <= 0) {
        // Discards an unfinished sign-in.
        await fileTokens(world, api).save(undefined)
        throw error
      }
      out.note(error.message)
    }
  }
}

const logout: Command = {
  name: 'logout',
  about: 'Sign out',
  details:
    'This ends all sessions of the account, including browsers. With --here, only the tokens on this machine are deleted.',
  options: { here: { type: 'boolean', about: 'only delete the tokens of this machine' } },
  examples: ['emojid logout --here', 'emojid logout'],
  async run({ client, out, world, api }, { flag }) {
    const tokens = fileTokens(world, api)
    if (await tokens.load()) {
      if (!flag('here')) await client.logOut()
      await tokens.save(undefined)
    }
    out.show({ api, logged_in: false }, () => 'Signed out.')
  },
}

export const sessionCommands = [login, logout]
