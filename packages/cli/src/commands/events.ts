import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, parseTypedId } from '@emojid/sdk'
import type { Command } from '../command.ts'
import { moment } from '../words.ts'

const followMs = 2_000
/** Renewed long before the hour of a watch ends. */
const renewMs = 30 * 60_000

type Event = Awaited<ReturnType<Client['api']['events']['readEvents']>>['data'][number]

export const events: Command = {
  name: 'events',
  about: 'Show the events of the directory',
  details:
    'Without --after reading starts now. A sign-in also shows events of your own orders and transfers.',
  options: {
    after: { type: 'string', value: 'cursor', about: 'events after this place of the feed' },
    types: {
      type: 'string',
      value: 'types',
      about: 'only these, such as emoji_id.released,order.paid',
    },
    watch: { type: 'string', multiple: true, value: 'id', about: 'only this id; may be repeated' },
    follow: { type: 'boolean', about: 'wait for further events until Ctrl-C' },
  },
  examples: [
    'emojid events',
    'emojid events --after "$CURSOR" --types emoji_id.registered,emoji_id.records_changed',
    'emojid events --after "$CURSOR" --watch 🔥🐍 --watch fire.snake',
  ],
  async run({ client, out, world }, { text, texts, flag }) {
    const emoji_ids = texts('watch').map(parseTypedId)
    const types = text('types')
    let watch = await watchIds(client, emoji_ids)
    let renewAt = Date.now() + renewMs
    let after = text('after')
    for (;;) {
      const query = { ...(types ? { types } : {}), ...(watch ? { watch } : {}) }
      const { data, next } = await client.api.events.readEvents({
        query: { ...query, ...(after ? { after } : {}) },
      })
      for (const event of data) out.show(event, () => describe(event))
      const isCaughtUp = next === after || after === undefined
      after = next
      if (!isCaughtUp) continue
      if (!flag('follow')) break
      await sleep(followMs, undefined, { signal: world.signal })
      if (watch && Date.now() > renewAt) {
        watch = await watchIds(client, emoji_ids)
        renewAt = Date.now() + renewMs
      }
    }
    out.note(`Continue with: emojid events --after ${after}`)
  },
}

async function watchIds(client: Client, emoji_ids: string[]): Promise<string | undefined> {
  if (emoji_ids.length === 0) return undefined
  return (await client.api.events.watchIds({ body: { emoji_ids } })).watch
}

function describe({ type, timestamp, data }: Event): string {
  const { emoji_id, tags = [], order_id, transfer_id } = data
  const subject = emoji_id ?? order_id ?? transfer_id ?? ''
  return [moment(timestamp), type, subject, ...tags].join('  ')
}
