import { RefusedError } from '@emojid/sdk'
import type { Command, Context } from '../command.ts'
import { credentialsPath, fileTokens } from '../credentials.ts'
import { UsageError } from '../exit-codes.ts'

const login: Command = {
  name: 'login',
  about: 'Log in with a password',
  details:
    'The password is asked for and not shown. Without a terminal it is the first line of standard input, and the code of a second factor the next. What is kept is in credentials.json under XDG_CONFIG_HOME (~/.config/emojid), which only you can read. Programs better use an API key: EMOJID_KEY.',
  options: {
    email: { type: 'string', value: 'address', about: 'whose account; asked for unless given' },
  },
  examples: ['emojid login --email anna@example.com'],
  async run(context, { text }) {
    const { client, ask, out, api, world, hasKey } = context
    if (hasKey) throw new UsageError('A key is given (EMOJID_KEY): there is nothing to log in to.')
    const email = text('email') ?? (await ask.text('E-mail address'))
    const password = await ask.secret('Password')
    const { requires_2fa } = await client.logIn({ email: email.trim(), password })
    if (requires_2fa) await giveCode(context, requires_2fa)
    const { user } = await client.api.account.showAccount()
    out.show({ api, user_id: user.id, email: user.email }, () => [
      `Logged in as ${out.bold(user.email ?? user.id)}.`,
      out.faint(credentialsPath(world)),
    ])
  },
}

/** A code can be mistyped: at a terminal it is asked for again. */
async function giveCode(
  { client, ask, out, world, api }: Context,
  provider: string,
): Promise<void> {
  const question =
    provider === 'SMS' ? 'Code from the text message' : 'Code of your authenticator app'
  for (let left = ask.isTerminal ? 2 : 0; ; left--) {
    try {
      await client.giveCode((await ask.text(question)).trim())
      return
    } catch (error) {
      if (!(error instanceof RefusedError) || left <= 0) {
        // Half a log-in is none.
        await fileTokens(world, api).save(undefined)
        throw error
      }
      out.note(error.message)
    }
  }
}

const logout: Command = {
  name: 'logout',
  about: 'Log out',
  details:
    'This ends all sessions of the account, also those in browsers. With --here the tokens are forgotten on this machine only.',
  options: { here: { type: 'boolean', about: 'only forget the tokens of this machine' } },
  examples: ['emojid logout --here', 'emojid logout'],
  async run({ client, out, world, api }, { flag }) {
    const tokens = fileTokens(world, api)
    if (await tokens.load()) {
      if (!flag('here')) await client.logOut()
      await tokens.save(undefined)
    }
    out.show({ api, logged_in: false }, () => 'Logged out.')
  },
}

export const sessionCommands = [login, logout]
