import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, NetworkError, parseTypedId, RefusedError } from '@emojid/sdk'
import type { Command } from '../command.ts'
import { moment } from '../output.ts'

const followMs = 2_000
const longestWaitMs = 30_000
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
    const isFollowing = flag('follow')
    const { signal } = world
    let watch: string | undefined
    let renewAt = 0
    let after = text('after')
    /** Returns whether the end of the feed is reached. */
    const readPage = async (): Promise<boolean> => {
      if (Date.now() > renewAt) {
        watch = await watchIds(client, emoji_ids)
        renewAt = Date.now() + renewMs
      }
      const query = { ...(types ? { types } : {}), ...(watch ? { watch } : {}) }
      const { data, next } = await client.api.events.readEvents({
        query: { ...query, ...(after ? { after } : {}) },
      })
      for (const event of data) out.show(event, () => describe(event))
      const isCaughtUp = next === after || after === undefined
      after = next
      return isCaughtUp
    }
    try {
      for (let failures = 0; ; ) {
        try {
          const isCaughtUp = await readPage()
          failures = 0
          if (!isCaughtUp) continue
          if (!isFollowing) break
          await sleep(followMs, undefined, { signal })
        } catch (error) {
          // The command cannot continue without a cursor.
          if (!isFollowing || signal.aborted || after === undefined || !canPass(error)) throw error
          if (isUnknownWatch(error)) renewAt = 0
          failures++
          await sleep(waitAfter(error, failures), undefined, { signal })
        }
      }
    } finally {
      if (after !== undefined) out.note(`Continue with: emojid events --after ${after}`)
    }
  },
}

const isUnknownWatch = (error: unknown): boolean =>
  error instanceof RefusedError && error.reason === 'unknown_watch'

/** Whether a later attempt may succeed. */
function canPass(error: unknown): boolean {
  if (error instanceof NetworkError || isUnknownWatch(error)) return true
  return error instanceof RefusedError && (error.status >= 500 || passing.includes(error.status))
}

const passing = [408, 425, 429]

/** Doubles with every failure, unless the service says how long to wait. */
const waitAfter = (error: unknown, failures: number): number =>
  (error instanceof RefusedError ? (error.retryAfterMs ?? 0) : 0) +
  Math.min(longestWaitMs, 500 * 2 ** failures) * (0.5 + Math.random() / 2)

async function watchIds(client: Client, emoji_ids: string[]): Promise<string | undefined> {
  if (emoji_ids.length === 0) return undefined
  return (await client.api.events.watchIds({ body: { emoji_ids } })).watch
}

function describe({ type, timestamp, data }: Event): string {
  const { emoji_id, tags = [], order_id, transfer_id } = data
  const subject = emoji_id ?? order_id ?? transfer_id ?? ''
  return [moment(timestamp), type, subject, ...tags].join('  ')
}
