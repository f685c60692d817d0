import { parseTypedId } from '@emojid/sdk'
import { assertAgreed, yes } from '../ask.ts'
import type { Command } from '../command.ts'
import { FailedError, UsageError } from '../exit-codes.ts'
import { moment, money } from '../output.ts'
import { readReason, reasonOption } from '../reason.ts'

const states = {
  owned: 'owned',
  held: 'held by a checkout',
  reserved: 'reserved',
  available: 'available',
  not_for_sale: 'not for sale',
}

const find: Command = {
  name: 'admin find',
  about: 'Operators: show an id with its owner, orders, transfers and history',
  parameters: ['<id>'],
  examples: ['emojid admin find 🔥🐍'],
  async run({ call, out }, { parameters: [typedText = ''] }) {
    const emoji_id = parseTypedId(typedText)
    const id = await call((client) => client.api.operators.showIdOverview({ path: { emoji_id } }))
    const { user, organization, pubkey } = id.owner ?? {}
    const owner = organization?.name ?? user?.email ?? user?.id ?? pubkey ?? 'none'
    out.show(id, () => [
      `${out.bold(id.display_format)}  ${states[id.state]}`,
      `  owner      ${owner}`,
      ...(user ? [`  account id ${user.id}`] : []),
      `  score      ${id.rhythm_score}`,
      `  price      ${id.price_in_cents === null ? 'none' : money(id.price_in_cents)}`,
      ...(id.registration ? [`  since      ${moment(id.registration.created_at)}`] : []),
      ...(id.registration?.frozen_at ? [out.bad('  its payment is disputed')] : []),
      ...(id.registration?.suspended_at
        ? [
            out.bad(`  suspended since ${moment(id.registration.suspended_at)}`),
            `  reason     ${id.registration.suspension_reason ?? ''}`,
          ]
        : []),
      ...(id.listed ? [`  reserved   ${id.listed.pattern} ${id.listed.reason}`] : []),
      ...(id.reports ?? []).map(
        ({ created_at, category, decision, text }) =>
          `  report     ${moment(created_at)} ${category} ${decision ?? 'open'}: ${text.replaceAll(/\s+/g, ' ')}`,
      ),
      ...(id.orders ?? []).map(
        ({ order_number, status, refunded, email, id: number }) =>
          `  order      ${order_number} ${status}${refunded ? ', refunded' : ''} ${email ?? ''} ${number}`,
      ),
      ...(id.transfers ?? []).map(
        ({ created_at, sender_email, recipient_email, status }) =>
          `  transfer   ${moment(created_at)} ${sender_email ?? ''} → ${recipient_email ?? ''} ${status}`,
      ),
      ...(id.history ?? []).map(
        ({ at, event, actor_email }) => `  history    ${moment(at)} ${event} ${actor_email ?? ''}`,
      ),
    ])
  },
}

const orderNumber = /^[0-9a-f]{8}((-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/

const refund: Command = {
  name: 'admin refund',
  about: 'Operators: refund an order and release its ids',
  parameters: ['<order>'],
  options: {
    reason: reasonOption,
    cents: { type: 'string', value: 'number', about: 'only this amount; the buyer keeps the ids' },
    yes,
  },
  details: 'An order is named by its number of 8 characters or its id.',
  examples: ['emojid admin refund "$REFUNDED" --reason "Bought by mistake" --yes'],
  async run({ call, out, ask }, { parameters: [selector = ''], text, flag }) {
    const [reason, cents] = [readReason(text), text('cents')]
    if (cents !== undefined && !/^[1-9]\d{0,8}$/.test(cents)) {
      throw new UsageError('--cents must be a whole number.')
    }
    // The search also finds orders by email address: a refund needs the exact number.
    const named = selector.toLowerCase()
    if (!orderNumber.test(named)) {
      throw new UsageError('Name the order by its number of 8 characters or its id.')
    }
    const order = await call(async (client) => {
      const { data } = await client.api.orders.listOrders({ query: { q: named, limit: 200 } })
      const [found, ...others] = data.filter(
        ({ id, order_number }) => id === named || order_number.toLowerCase() === named,
      )
      if (!found) throw new FailedError(`No order has the number “${selector}”.`)
      if (others.length === 0) return found
      throw new FailedError(`Several orders have the number “${selector}”. Use the id of one.`)
    })
    const ids = order.order_items.flatMap(({ emoji_id }) => emoji_id ?? []).join(' ')
    const amount = cents === undefined ? 'everything' : money(Number(cents))
    const question = `Refund ${amount} of order ${order.order_number} (${ids})?`
    await assertAgreed(ask, flag('yes'), question)
    const path = { id: order.id }
    const refunded = await call((client) =>
      cents === undefined
        ? client.api.operators.refundOrder({ path, body: { reason: reason } })
        : client.api.operators.miscRefund({
            path,
            body: { reason: reason, amount_in_cents: Number(cents) },
          }),
    )
    out.show(refunded, () => `The refund of order ${refunded.order_number} is on its way.`)
  },
}

const audit: Command = {
  name: 'admin audit',
  about: 'Operators: list audit entries, newest first',
  options: {
    id: { type: 'string', value: 'id', about: 'that name this emoji id' },
    person: { type: 'string', value: 'who', about: 'of this email address or account id' },
    event: { type: 'string', value: 'event', about: 'such as emoji_id.granted' },
    from: { type: 'string', value: 'day', about: 'the first day, such as 2030-01-31' },
    to: { type: 'string', value: 'day', about: 'the last day' },
    limit: { type: 'string', value: 'number', about: 'how many; default: 50, at most 200' },
  },
  examples: [
    'emojid admin audit --id 🔥🐍',
    'emojid admin audit --person anna@example.com --event emoji_id.granted',
  ],
  async run({ call, out }, { text }) {
    const typedText = text('id')
    const limit = text('limit') ?? '50'
    if (!/^[1-9]\d{0,2}$/.test(limit)) throw new UsageError('--limit must be a whole number.')
    const query = Object.fromEntries(
      Object.entries({
        emoji_id: typedText === undefined ? undefined : parseTypedId(typedText),
        person: text('person'),
        event: text('event'),
        from: text('from'),
        to: text('to'),
      }).filter(([, value]) => value !== undefined),
    )
    const { data } = await call((client) =>
      client.api.operators.listAudit({ query: { ...query, limit: Number(limit) } }),
    )
    await out.list(data, {
      columns: ['when', 'event', 'result', 'actor', 'subject', 'details'],
      row: ({ at, event, result, actor_email, subject_email, details }) => [
        moment(at),
        event,
        result,
        actor_email ?? '',
        subject_email ?? '',
        JSON.stringify(details),
      ],
      none: 'No matching entries.',
    })
  },
}

const jobStates = ['waiting', 'running', 'failed', 'given_up'] as const

const jobs: Command = {
  name: 'admin jobs',
  about: 'Operators: list unfinished background jobs',
  options: {
    state: { type: 'string', value: 'state', about: jobStates.join(', ') },
    task: { type: 'string', value: 'task', about: 'only jobs of this task' },
  },
  examples: ['emojid admin jobs', 'emojid admin jobs --state given_up'],
  async run({ client, call, out }, { text }) {
    const [target, task] = [text('state'), text('task')]
    const state = jobStates.find((one) => one === target)
    if (target && !state) throw new UsageError(`--state must be one of ${jobStates.join(', ')}.`)
    const query = { ...(state ? { state } : {}), ...(task ? { task } : {}) }
    await call(() => client.api.operators.listJobs({ query: { ...query, limit: 1 } }))
    await out.list(client.api.operators.listJobs.each({ query }), {
      columns: ['task', 'state', 'attempts', 'next attempt', 'error', 'job id'],
      row: (job) => [
        job.task,
        job.state,
        `${job.attempts}/${job.max_attempts}`,
        moment(job.run_at),
        job.error ?? '',
        job.id,
      ],
      none: 'No matching jobs.',
    })
  },
}

const retryJob: Command = {
  name: 'admin retry-job',
  about: 'Operators: retry a failed job now',
  parameters: ['<job id>'],
  options: { reason: reasonOption },
  examples: ['emojid admin retry-job "$JOB" --reason "The provider is back"'],
  async run({ call, out }, { parameters: [id = ''], text }) {
    const body = { reason: readReason(text) }
    const job = await call((client) => client.api.operators.retryJob({ path: { id }, body }))
    out.show(job, () => `The job ${job.task} runs again.`)
  },
}

const suspension = (name: 'suspend' | 'restore', about: string, done: string): Command => ({
  name: `admin ${name}`,
  about,
  parameters: ['<id>'],
  options: { reason: reasonOption },
  examples: [`emojid admin ${name} 🎸🚀💎 --reason "Reported as a scam"`],
  async run({ call, out }, { parameters: [typedText = ''], text }) {
    const request = {
      path: { emoji_id: parseTypedId(typedText) },
      body: { reason: readReason(text) },
    }
    const state = await call(({ api: { operators } }) =>
      name === 'suspend' ? operators.suspendEmojiId(request) : operators.restoreEmojiId(request),
    )
    out.show(state, () => `${out.bold(state.emoji_id)} ${done}`)
  },
})

const reservedCommand: Command = {
  name: 'admin reserved',
  about: 'Operators: list reserved ids and patterns',
  parameters: ['[text]'],
  examples: ['emojid admin reserved', 'emojid admin reserved brand'],
  async run({ client, call, out }, { parameters: [q] }) {
    const query = q === undefined ? {} : { q }
    await call(() => client.api.operators.listReservedIds({ query: { ...query, limit: 1 } }))
    await out.list(client.api.operators.listReservedIds.each({ query }), {
      columns: ['pattern', 'since', 'reason'],
      row: ({ pattern, reserved_at, reason }) => [pattern, moment(reserved_at), reason],
      none: 'No matching entries.',
    })
  },
}

const reserve: Command = {
  name: 'admin reserve',
  about: 'Operators: reserve an id or a pattern, so that it is not for sale',
  parameters: ['<pattern>'],
  options: { reason: reasonOption },
  details: 'In a pattern, * stands for any number of emojis.',
  examples: ['emojid admin reserve "🎲🎲*" --reason "For our own games"'],
  async run({ call, out }, { parameters: [pattern = ''], text }) {
    const rows = [{ pattern, reason: readReason(text) }]
    const { data } = await call((client) =>
      client.api.operators.importReservedIds({ body: { rows } }),
    )
    const [result] = data
    if (result?.error) throw new FailedError(result.error.message)
    out.show(result, () => `${out.bold(pattern)} is reserved.`)
  },
}

const unreserve: Command = {
  name: 'admin unreserve',
  about: 'Operators: remove an entry of the reserved list',
  parameters: ['<pattern>'],
  options: { reason: reasonOption },
  examples: ['emojid admin unreserve "🎲🎲*" --reason "No longer needed"'],
  async run({ call, out }, { parameters: [pattern = ''], text }) {
    const query = { pattern, reason: readReason(text) }
    await call((client) => client.api.operators.removeReservedId({ query }))
    out.show({ pattern }, () => `${out.bold(pattern)} is no longer reserved.`)
  },
}

/** Commands for questions of users to operators. */
export const supportCommands = [
  find,
  suspension('suspend', 'Operators: suspend an id', 'is suspended.'),
  suspension('restore', 'Operators: restore a suspended id', 'works again.'),
  reservedCommand,
  reserve,
  unreserve,
  refund,
  audit,
  jobs,
  retryJob,
]
