import type { Client } from '@emojid/sdk'
import { assertAgreed, yes } from '../ask.ts'
import type { Command, Option } from '../command.ts'
import { UsageError } from '../exit-codes.ts'
import { moment } from '../output.ts'

type EventType = 'order.paid'

const organization: Option = {
  type: 'string',
  value: 'number',
  about: 'those of an organization that you own',
}
const types: Option = {
  type: 'string',
  multiple: true,
  value: 'type',
  about: 'an event type, such as order.paid; may be repeated; default: all types',
}

const list: Command = {
  name: 'webhooks list',
  about: 'List your webhook endpoints',
  options: { organization },
  examples: ['emojid webhooks list'],
  async run({ call, out }, { text }) {
    const organization_id = text('organization')
    const query = organization_id === undefined ? {} : { organization_id }
    const endpoints = await call((client) => client.api.webhooks.listWebhookEndpoints({ query }))
    await out.list(endpoints, {
      columns: ['address', 'state', 'types', 'last success', 'number'],
      row: ({ url, status, status_reason, types: wanted, last_success_at, id }) => [
        url,
        status_reason ? `${status} (${status_reason})` : status,
        wanted.join(' ') || 'all',
        moment(last_success_at) || 'never',
        id,
      ],
      none: 'You have no webhook endpoints.',
    })
  },
}

const create: Command = {
  name: 'webhooks create',
  about: 'Add a webhook endpoint; its secret is shown once',
  parameters: ['<address>'],
  options: { type: types, organization },
  examples: ['emojid webhooks create "$RECEIVER" --type order.paid'],
  async run({ call, out }, { parameters: [url = ''], text, texts }) {
    const organization_id = text('organization')
    const body = {
      url,
      // The service validates the types.
      types: texts('type') as EventType[],
      ...(organization_id === undefined ? {} : { organization_id }),
    }
    const endpoint = await call((client) => client.api.webhooks.createWebhookEndpoint({ body }))
    out.show(endpoint, () => [
      `number  ${endpoint.id}`,
      `secret  ${out.bold(endpoint.secret)}`,
      'Save the secret now: it won’t be shown again.',
    ])
  },
}

const rotate: Command = {
  name: 'webhooks rotate',
  about: 'Create a new secret; the old one works for another day',
  parameters: ['<number>'],
  options: { yes },
  examples: ['emojid webhooks rotate "$WEBHOOK" --yes'],
  async run({ call, out, ask }, { parameters: [id = ''], flag }) {
    const question = `Create a new secret for ${id}? The old one works for another day.`
    await assertAgreed(ask, flag('yes'), question)
    const rotation = await call((client) =>
      client.api.webhooks.rotateWebhookSecret({ path: { id } }),
    )
    out.show(rotation, () => [
      `secret  ${out.bold(rotation.secret)}`,
      `Save it now: it won’t be shown again. The old one works until ${moment(rotation.previous_secret_until)}.`,
    ])
  },
}

const setPaused = (client: Client, id: string, is_paused: boolean) =>
  client.api.webhooks.updateWebhookEndpoint({ path: { id }, body: { is_paused } })

const pause: Command = {
  name: 'webhooks pause',
  about: 'Pause an endpoint; its events wait',
  parameters: ['<number>'],
  examples: ['emojid webhooks pause "$WEBHOOK"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    const endpoint = await call((client) => setPaused(client, id, true))
    out.show(endpoint, () => `The endpoint is ${endpoint.status}. Its events wait for 30 days.`)
  },
}

const resume: Command = {
  name: 'webhooks resume',
  about: 'Resume a paused or disabled endpoint',
  parameters: ['<number>'],
  examples: ['emojid webhooks resume "$WEBHOOK"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    const endpoint = await call((client) => setPaused(client, id, false))
    out.show(endpoint, () => [
      `The endpoint is ${endpoint.status}.`,
      ...(endpoint.replay_from
        ? [`It missed events: emojid webhooks replay ${id} --after ${endpoint.replay_from}`]
        : []),
    ])
  },
}

const remove: Command = {
  name: 'webhooks delete',
  about: 'Delete a webhook endpoint and its log',
  parameters: ['<number>'],
  options: { yes },
  examples: ['emojid webhooks delete "$WEBHOOK" --yes'],
  async run({ call, out, ask }, { parameters: [id = ''], flag }) {
    const question = `Delete ${id} and its log? Events that wait are not sent.`
    await assertAgreed(ask, flag('yes'), question)
    await call((client) => client.api.webhooks.deleteWebhookEndpoint({ path: { id } }))
    out.show({ id, deleted: true }, () => 'The endpoint is deleted.')
  },
}

const test: Command = {
  name: 'webhooks test',
  about: 'Send a test event',
  parameters: ['<number>'],
  examples: ['emojid webhooks test "$WEBHOOK"'],
  async run({ call, out }, { parameters: [id = ''] }) {
    const delivery = await call((client) => client.api.webhooks.sendTestEvent({ path: { id } }))
    out.show(
      delivery,
      () => `Queued ${delivery.event_id}. See the result: emojid webhooks deliveries ${id}`,
    )
  },
}

const deliveries: Command = {
  name: 'webhooks deliveries',
  about: 'List deliveries with the status and latency of the last try',
  parameters: ['<number>'],
  options: {
    status: {
      type: 'string',
      value: 'status',
      about: 'waiting, sending, delivered, failed or cancelled',
    },
  },
  examples: ['emojid webhooks deliveries "$WEBHOOK" --status delivered'],
  async run({ client, call, out }, { parameters: [id = ''], text }) {
    const status = text('status') as 'waiting' | undefined
    const query = { limit: 50, ...(status ? { status } : {}) }
    const path = { id }
    const page = await call(() => client.api.webhooks.listWebhookDeliveries({ path, query }))
    await out.list(page.data, {
      columns: ['event', 'state', 'tries', 'response', 'ms', 'time', 'number'],
      row: (one) => [
        one.type,
        one.status,
        String(one.tries),
        String(one.response_status ?? one.error ?? ''),
        String(one.latency_ms ?? ''),
        moment(one.last_tried_at ?? one.created_at),
        one.id,
      ],
      none: 'There are no deliveries.',
    })
  },
}

const redeliver: Command = {
  name: 'webhooks redeliver',
  about: 'Send one delivery again',
  parameters: ['<number>', '<delivery>'],
  examples: ['emojid webhooks redeliver "$WEBHOOK" "$DELIVERY"'],
  async run({ call, out }, { parameters: [id = '', delivery_id = ''] }) {
    const path = { id, delivery_id }
    const delivery = await call((client) => client.api.webhooks.redeliverWebhook({ path }))
    out.show(delivery, () => 'The delivery is queued again.')
  },
}

const replayPart = (client: Client, id: string, after: string) =>
  client.api.webhooks.replayWebhooks({ path: { id }, body: { after } })

const replay: Command = {
  name: 'webhooks replay',
  about: 'Send all events after a cursor again',
  parameters: ['<number>'],
  options: {
    after: { type: 'string', value: 'cursor', about: 'a place of the feed (emojid events)' },
  },
  examples: ['emojid webhooks replay "$WEBHOOK" --after "$CURSOR"'],
  async run({ call, out }, { parameters: [id = ''], text }) {
    const after = text('after')
    if (!after) throw new UsageError('Pass --after with a cursor.')
    let [next, queuedCount, isComplete] = [after, 0, false]
    while (!isComplete) {
      const start = next
      const part = await call((client) => replayPart(client, id, start)).catch((error) => {
        if (start !== after) {
          out.note(
            `Queued ${queuedCount} events. Continue with: emojid webhooks replay ${id} --after ${start}`,
          )
        }
        throw error
      })
      next = part.next
      queuedCount += part.queued
      isComplete = part.is_complete
    }
    out.show({ id, queued: queuedCount, next }, () => `Queued ${queuedCount} events again.`)
  },
}

export const webhookCommands = [
  list,
  create,
  rotate,
  pause,
  resume,
  remove,
  test,
  deliveries,
  redeliver,
  replay,
]
