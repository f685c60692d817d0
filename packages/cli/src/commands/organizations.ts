import type { Client } from '@emojid/sdk'
import type { Command } from '../command.ts'
import { FailedError, UsageError } from '../exit-codes.ts'
import { moment } from '../output.ts'

const number = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Finds an organization by id, partner path or name. */
export async function findOrganization(client: Client, organization: string): Promise<string> {
  if (number.test(organization)) return organization
  const nameOrPath = organization.toLowerCase()
  const { data } = await client.api.operators.listOrganizations({
    query: { q: organization, limit: 200 },
  })
  const byPath = data.find(({ partner_path }) => partner_path?.toLowerCase() === nameOrPath)
  if (byPath) return byPath.id
  const [first, ...others] = data.filter(({ name }) => name.toLowerCase() === nameOrPath)
  if (!first) throw new FailedError(`There is no organization “${organization}”.`)
  if (others.length === 0) return first.id
  throw new UsageError(
    `Several organizations are called “${organization}”. Use the number of one: emojid admin organizations`,
  )
}

export const organizations: Command = {
  name: 'admin organizations',
  about: 'Operators: find organizations',
  parameters: ['[text]'],
  examples: ['emojid admin organizations', 'emojid admin organizations shop'],
  async run({ client, call, out }, { parameters: [q] }) {
    const query = q === undefined ? {} : { q }
    await call(() => client.api.operators.listOrganizations({ query: { ...query, limit: 1 } }))
    await out.list(client.api.operators.listOrganizations.each({ query }), {
      columns: ['name', 'partner path', 'since', 'organization id'],
      row: ({ name, partner_path, created_at, id }) => [
        name,
        partner_path ?? '',
        moment(created_at),
        id,
      ],
      none: 'No matching organizations.',
    })
  },
}
