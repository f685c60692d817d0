import type { Command } from '../command.ts'
import { moment } from '../output.ts'

const list: Command = {
  name: 'keys',
  about: 'List the public keys that hold your ids',
  examples: ['emojid keys'],
  async run({ call, out }) {
    const keys = await call((client) => client.api.keys.listPubkeys())
    const rows = keys.map((pubkey) => ({ pubkey }))
    await out.list(rows, {
      columns: ['key'],
      row: ({ pubkey }) => [pubkey],
      none: 'You have no keys.',
    })
  },
}

const make: Command = {
  name: 'keys new',
  about: 'Create another key, which the service stores for you',
  examples: ['emojid keys new'],
  async run({ call, out }) {
    const pubkey = await call((client) => client.api.keys.generatePubkey())
    out.show({ pubkey }, () => pubkey)
  },
}

const listApiKeys: Command = {
  name: 'api-keys',
  about: 'List your API keys',
  examples: ['emojid api-keys'],
  async run({ call, out }) {
    await out.list(await call((client) => client.api.apiKeys.listApiKeys()), {
      columns: ['name', 'prefix', 'since', 'until', 'key id'],
      row: ({ name, api_key, created_at, expires_at, id }) => [
        name,
        api_key,
        moment(created_at),
        moment(expires_at) || 'never',
        id,
      ],
      none: 'You have no API keys.',
    })
  },
}

type Scope = 'userData:update'

const makeApiKey: Command = {
  name: 'api-keys new',
  about: 'Create an API key, which is shown once',
  parameters: ['<name>'],
  options: {
    scope: {
      type: 'string',
      multiple: true,
      value: 'scope',
      about: 'a scope; default: all of your scopes',
    },
    until: { type: 'string', value: 'moment', about: 'expiry, such as 2030-01-01T00:00:00Z' },
  },
  examples: [
    'emojid api-keys new backup-script --scope userData:update --until 2030-01-01T00:00:00Z',
  ],
  async run({ call, out }, { parameters: [name = ''], texts, text }) {
    // The service validates the scopes.
    const scopes = texts('scope') as Scope[]
    const expires_at = text('until')
    const body = {
      name,
      ...(scopes.length > 0 ? { scopes } : {}),
      ...(expires_at === undefined ? {} : { expires_at }),
    }
    const key = await call((client) => client.api.apiKeys.createApiKey({ body }))
    out.show(key, () => [out.bold(key.api_key), 'Save it now: it won’t be shown again.'])
  },
}

const removeApiKey: Command = {
  name: 'api-keys remove',
  about: 'Delete an API key',
  parameters: ['<key id>'],
  examples: ['emojid api-keys remove "$API_KEY_ID"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    await call((client) => client.api.apiKeys.deleteApiKey({ path: { id } }))
    out.show({ id, deleted: true }, () => 'The key is deleted.')
  },
}

export const keyCommands = [list, make, listApiKeys, makeApiKey, removeApiKey]
