import { type Client, parseTypedId } from '@emojid/sdk'
import type { Command } from '../command.ts'
import { FailedError, UsageError } from '../exit-codes.ts'
import { moment, money } from '../output.ts'
import { readReason, reasonOption } from '../reason.ts'
import { organizations } from './organizations.ts'

/** Finds a user by email address or id. */
const findUser = async (client: Client, userText: string): Promise<string> =>
  userText.includes('@') ? (await findByEmail(client, userText)).id : userText

async function findByEmail(client: Client, emailText: string) {
  const address = emailText.toLowerCase()
  const { data } = await client.api.operators.listUsers({ query: { q: emailText } })
  const user = data.find(({ email }) => email?.toLowerCase() === address)
  if (!user) throw new FailedError(`There is no account with ${emailText}.`)
  return user
}

/** Anyone can register an address without confirming it, and wait for ids granted to it. */
async function findReceiver(client: Client, user: string): Promise<string> {
  if (!user.includes('@')) return user
  const { id, email_verified_at } = await findByEmail(client, user)
  if (email_verified_at) return id
  throw new FailedError(
    `${user} is not confirmed. If you are sure about the owner, use the account id: ${id}`,
  )
}

const users: Command = {
  name: 'admin users',
  about: 'Operators: find accounts',
  parameters: ['[text]'],
  examples: ['emojid admin users', 'emojid admin users anna@example.com'],
  async run({ client, call, out }, { parameters: [q] }) {
    const query = q === undefined ? {} : { q }
    await call(() => client.api.operators.listUsers({ query: { ...query, limit: 1 } }))
    await out.list(client.api.operators.listUsers.each({ query }), {
      columns: ['email', 'role', 'ids', 'since', 'state', 'account id'],
      row: ({ email, role, emoji_ids, created_at, deactivated_at, id }) => [
        email ?? '',
        role,
        emoji_ids.join(' '),
        moment(created_at),
        deactivated_at ? 'deactivated' : '',
        id,
      ],
      none: 'No matching accounts.',
    })
  },
}

const user: Command = {
  name: 'admin user',
  about: 'Operators: show an account',
  parameters: ['<email address or account id>'],
  examples: ['emojid admin user anna@example.com'],
  async run({ call, out }, { parameters: [user = ''] }) {
    const account = await call(async (client) =>
      client.api.users.showUser({ path: { id: await findUser(client, user) } }),
    )
    out.show(account, () => [
      `${out.bold(account.email ?? account.id)}  ${account.role}`,
      `  account id      ${account.id}`,
      `  since           ${moment(account.created_at)}`,
      `  confirmed       ${moment(account.email_verified_at) || 'no'}`,
      `  second factor   ${account.two_factor_auth?.join(', ') || 'none'}`,
      `  ids             ${account.emoji_ids.join(' ') || 'none'}`,
      ...(account.deactivated_at
        ? [out.bad(`  deactivated since ${moment(account.deactivated_at)}`)]
        : []),
    ])
  },
}

const accountSwitch = (name: 'activate' | 'deactivate', about: string, done: string): Command => ({
  name: `admin ${name}`,
  about,
  parameters: ['<email address or account id>'],
  options: { reason: reasonOption },
  examples: [`emojid admin ${name} bert@example.com --reason "Requested by email"`],
  async run({ call, out }, { parameters: [user = ''], text }) {
    const body = { reason: readReason(text) }
    const changedUser = await call(async (client) => {
      const request = { path: { id: await findUser(client, user) }, body }
      const { activateUser, deactivateUser } = client.api.operators
      return name === 'activate' ? activateUser(request) : deactivateUser(request)
    })
    out.show(changedUser, () => `${changedUser.email ?? changedUser.id} ${done}`)
  },
})

const statuses = ['Cancelled', 'Draft', 'Paid', 'PendingPayment'] as const

const orders: Command = {
  name: 'admin orders',
  about: 'Operators: find orders',
  options: {
    user: { type: 'string', value: 'who', about: 'of this email address or account id' },
    status: { type: 'string', value: 'status', about: statuses.join(', ') },
  },
  examples: ['emojid admin orders --user anna@example.com', 'emojid admin orders --status Paid'],
  async run({ client, call, out }, { text }) {
    const [user, target] = [text('user'), text('status')]
    const status = statuses.find((one) => one.toLowerCase() === target?.toLowerCase())
    if (target && !status) throw new UsageError(`--status must be one of ${statuses.join(', ')}.`)
    const query = await call(async () => ({
      ...(user ? { user_id: await findUser(client, user) } : {}),
      ...(status ? { status } : {}),
    }))
    await call(() => client.api.orders.listOrders({ query: { ...query, limit: 1 } }))
    await out.list(client.api.orders.listOrders.each({ query }), {
      columns: ['order', 'status', 'total', 'refunded', 'ids', 'buyer', 'since', 'order id'],
      row: (order) => [
        order.order_number,
        order.status,
        money(order.total_in_cents),
        order.refunded_total_in_cents > 0 ? money(order.refunded_total_in_cents) : '',
        order.order_items.flatMap(({ emoji_id }) => emoji_id ?? []).join(' '),
        order.user?.email ?? '',
        moment(order.created_at),
        order.id,
      ],
      none: 'No matching orders.',
    })
  },
}

const receipt: Command = {
  name: 'admin receipt',
  about: 'Operators: email the receipt of an order again',
  parameters: ['<order>'],
  examples: ['emojid admin receipt "$ORDER"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    const order = await call((client) => client.api.orders.resendConfirmation({ path: { id } }))
    out.show(order, () => `The receipt of ${order.order_number} was sent.`)
  },
}

const grant: Command = {
  name: 'admin grant',
  about: 'Operators: give an id to an account',
  parameters: ['<id>', '<email address or account id>'],
  details: 'An email address must be confirmed by its account.',
  examples: ['emojid admin grant 🎸🚀💎 bert@example.com'],
  async run({ call, out }, { parameters: [typedText = '', user = ''] }) {
    const emoji_id = parseTypedId(typedText)
    const granted = await call(async (client) =>
      client.api.operators.grantEmojiId({
        body: { emoji_id, user_id: await findReceiver(client, user) },
      }),
    )
    out.show(granted, () => `${out.bold(granted.display_format)} now belongs to ${user}.`)
  },
}

const codes: Command = {
  name: 'admin codes',
  about: 'Operators: list codes and their remaining uses',
  examples: ['emojid admin codes'],
  async run({ client, call, out }) {
    await call(() => client.api.codes.listCodes({ query: { limit: 1 } }))
    await out.list(client.api.codes.listCodes.each(), {
      columns: ['name', 'code', 'discount', 'uses', 'uses left', 'until', 'code id'],
      row: (code) => [
        code.name,
        code.redemption_code ?? '',
        code.discount_as_percentage
          ? `${code.discount_as_percentage} %`
          : money(code.discount_in_cents ?? 0),
        String(code.total_uses),
        code.available === null ? 'unlimited' : String(code.available),
        moment(code.end_date),
        code.id,
      ],
      none: 'No codes.',
    })
  },
}

const createCode: Command = {
  name: 'admin create-code',
  about: 'Operators: create a discount code',
  parameters: ['<code>'],
  options: {
    name: { type: 'string', value: 'name', about: 'name for operators; default: the code' },
    percent: { type: 'string', value: 'number', about: 'discount in percent' },
    cents: { type: 'string', value: 'number', about: 'or discount in US cents' },
    uses: { type: 'string', value: 'number', about: 'number of uses; default: unlimited' },
    until: { type: 'string', value: 'moment', about: 'expiry, such as 2030-01-01T00:00:00Z' },
  },
  examples: ['emojid admin create-code SPRING --percent 20 --uses 100'],
  async run({ call, out }, { parameters: [redemption_code = ''], text }) {
    const [percent, cents, uses] = [text('percent'), text('cents'), text('uses')].map(wholeNumber)
    if ((percent === undefined) === (cents === undefined)) {
      throw new UsageError('Pass --percent or --cents.')
    }
    const end_date = text('until')
    const body = {
      name: text('name') ?? redemption_code,
      redemption_code,
      code_type: 'Discount' as const,
      activator: 'RedemptionCode' as const,
      ...(percent === undefined ? {} : { discount_as_percentage: percent }),
      ...(cents === undefined ? {} : { discount_in_cents: cents }),
      ...(uses === undefined ? {} : { max_uses: uses }),
      ...(end_date === undefined ? {} : { end_date }),
    }
    const code = await call((client) => client.api.operators.createCode({ body }))
    out.show(code, () => `${out.bold(code.redemption_code ?? code.id)} is active.`)
  },
}

function wholeNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageError(`“${text}” is not a whole number.`)
  return Number(text)
}

export const adminCommands = [
  users,
  user,
  accountSwitch('deactivate', 'Operators: deactivate an account', 'is deactivated.'),
  accountSwitch('activate', 'Operators: reactivate an account', 'is active again.'),
  organizations,
  orders,
  receipt,
  grant,
  codes,
  createCode,
]
