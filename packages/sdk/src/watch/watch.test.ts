import { describe, expect, it } from 'vitest'
import { fakeService, json } from '../../test/support.ts'
import { createClient } from '../client.ts'
import { InvalidRequestError } from '../errors.ts'
import { readServerSentEvents } from './server-sent-events.ts'
import type { Change } from './types.ts'

/** A directory whose feed responds to each poll in turn, then with nothing new. */
async function watchedThrough(polls: readonly Response[], ids = ['🔥', '🐍']) {
  const left = [...polls]
  const changes: Change[] = []
  let spare = 0
  let finish = () => {}
  const isOver = new Promise<void>((resolve) => {
    finish = resolve
  })
  const { api, fetch } = fakeService(({ url }) => {
    if (url.endsWith('/events/watch')) {
      return json({ watch: 'w', expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    }
    if (!url.includes('after=')) return json({ data: [], next: 'now' })
    const next = left.shift()
    if (next) return next
    spare++
    if (spare === 3) finish()
    return json({ data: [], next: new URL(url).searchParams.get('after') })
  })
  const watch = createClient({ api, fetch }).watch(ids, (change) => void changes.push(change), {
    mode: 'poll',
    pollMs: 1,
    longestWaitMs: 1,
    onError: () => {},
  })
  await isOver
  watch.close()
  return changes.map(({ id, reason }) => [id, reason])
}
const missed = [
  ['🔥', 'missed'],
  ['🐍', 'missed'],
]

describe('a watch', () => {
  it('reports nothing while nothing is missed', async () => {
    expect(await watchedThrough([])).toEqual([])
  })

  it('reports every id once after its cursor became unknown', async () => {
    const gone = json({ error: 'Gone.', code: 'outdated_cursor' }, { status: 410 })
    expect(await watchedThrough([gone])).toEqual(missed)
  })

  it('reports every id once for an event that it cannot read, and goes on', async () => {
    const unreadable = { type: 'emoji_id.edited', timestamp: '', data: { emoji_id: '🔥' } }
    const data = { emoji_id: '🔥', version: 2, tags: ['0x1003'] }
    const events = [unreadable, { ...unreadable, data }]
    const polls = [json({ data: events, next: 'later' })]
    expect(await watchedThrough(polls)).toEqual([...missed, ['🔥', 'event']])
  })

  it('a watch takes at most 1,000 ids', () => {
    const emojis = [...'🔥🐍🦀🌊🍕👑🤖💎🎸🌴'.matchAll(/./gu)].map(([emoji]) => emoji)
    const ids = emojis.flatMap((a) => emojis.flatMap((b) => emojis.map((c) => `${a}${b}${c}`)))
    const { api, fetch } = fakeService(() => json({}))
    const client = createClient({ api, fetch, retries: 0 })
    const watch = (texts: string[]) => client.watch(texts, () => {}, { onError: () => {} })
    watch(ids).close()
    expect(() => watch([...ids, '🔥🐍'])).toThrow(InvalidRequestError)
  })
})

describe('a stream of events', () => {
  async function read(text: string) {
    const body = new Response(text).body as ReadableStream<Uint8Array>
    const messages = []
    const limits = { silenceMs: 60_000, whenSilent: () => {} }
    for await (const message of readServerSentEvents(body, limits)) messages.push(message)
    return messages
  }

  it('ignores lines without a colon, comments and unknown members', async () => {
    expect(await read('id\ndata\nid: 7\n: hello\nretry: 5\ndatax: 1\ndata:a\ndata: b\n\n')).toEqual(
      [{ id: '7', data: 'a\nb' }],
    )
    expect(await read('data\n\n')).toEqual([{ id: undefined, data: undefined }])
  })

  it('a stream of events ends at a message that is longer than a million characters', async () => {
    const messageOf = (length: number) => `data:${'x'.repeat(length - 7)}\n\n`
    expect(await read(messageOf(1_000_000))).toHaveLength(1)
    expect(await read(messageOf(1_000_001))).toEqual([])
  })
})
