import type { Command } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { moment } from '../output.ts'
import { findOrganization } from './organizations.ts'

const list: Command = {
  name: 'oauth-client list',
  about: 'Operators: list applications with “Log in with your emoji id”',
  examples: ['emojid oauth-client list'],
  async run({ client, call, out }) {
    await call(() => client.api.operators.listOauthClients({ query: { limit: 1 } }))
    await out.list(client.api.operators.listOauthClients.each(), {
      columns: ['client_id', 'name', 'secrets', 'since'],
      row: ({ client_id, name, secrets, created_at }) => [
        client_id,
        name,
        String(secrets.length),
        moment(created_at),
      ],
      none: 'There are no applications.',
    })
  },
}

const show: Command = {
  name: 'oauth-client show',
  about: 'Operators: show an application and its secrets',
  parameters: ['<client_id>'],
  examples: ['emojid oauth-client show "$CLIENT_ID"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    const application = await call((client) =>
      client.api.operators.showOauthClient({ path: { id } }),
    )
    out.show(application, () => [
      `${out.bold(application.name)}  ${application.client_id}`,
      ...application.redirect_uris.map((uri) => `  redirects to ${uri}`),
      ...application.secrets.map((one) => `  secret ${one.id} since ${moment(one.created_at)}`),
    ])
  },
}

const create: Command = {
  name: 'oauth-client create',
  about: 'Operators: register an application; its secret is shown once',
  options: {
    organization: {
      type: 'string',
      value: 'which',
      about: 'the owner: a number, partner path or name (emojid admin organizations)',
    },
    name: { type: 'string', value: 'name', about: 'the displayed name' },
    redirect: {
      type: 'string',
      multiple: true,
      value: 'address',
      about: 'a redirect URI; may be repeated',
    },
  },
  examples: [
    'emojid oauth-client create --organization "$ORGANIZATION" --name Shop --redirect https://shop.example.com/callback',
  ],
  async run({ call, out }, { text, texts }) {
    const [organization, name] = [text('organization'), text('name')]
    const redirect_uris = [...texts('redirect')]
    if (!organization || !name || redirect_uris.length === 0) {
      throw new UsageError('Pass --organization, --name and --redirect.')
    }
    const application = await call(async (client) => {
      const organization_id = await findOrganization(client, organization)
      const body = { organization_id, name, redirect_uris }
      return client.api.operators.createOauthClient({ body })
    })
    out.show(application, () => [
      `client_id      ${out.bold(application.client_id)}`,
      `client_secret  ${out.bold(application.client_secret)}`,
      'Save the secret now: it won’t be shown again.',
    ])
  },
}

const addSecret: Command = {
  name: 'oauth-client add-secret',
  about: 'Operators: add a second secret, for rotation',
  parameters: ['<client_id>'],
  examples: ['emojid oauth-client add-secret "$CLIENT_ID"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    const secret = await call((client) => client.api.operators.addOauthSecret({ path: { id } }))
    out.show(secret, () => [
      `client_secret  ${out.bold(secret.client_secret)}`,
      'Save it now: it won’t be shown again. Remove the old secret once the application uses the new one.',
    ])
  },
}

const removeSecret: Command = {
  name: 'oauth-client remove-secret',
  about: 'Operators: delete a secret of an application',
  parameters: ['<client_id>', '<secret>'],
  examples: ['emojid oauth-client remove-secret "$CLIENT_ID" "$SECRET_ID"'],
  async run({ call, out }, { parameters: [id = '', secret_id = ''] }) {
    await call((client) => client.api.operators.deleteOauthSecret({ path: { id, secret_id } }))
    out.show({ client_id: id, secret_id, deleted: true }, () => 'The secret is deleted.')
  },
}

export const oauthClientCommands = [list, create, show, addSecret, removeSecret]
