import { setTimeout as sleep } from 'node:timers/promises'
import type { Stage } from './account-stage.ts'

export type ReaderStage = Pick<Stage, 'call' | 'port' | 'post' | 'patiently'>
export type ReceivedEvent = {
  id: string
  type: string
  data: { emoji_id?: string; version?: number }
}

/** A way by which events reach a client. Receives from its start on, through all kills. */
export type Receiver = {
  name: string
  /** Resolves once every later event is received. `check` must resolve before the next event. */
  start(
    stage: ReaderStage,
    check: (events: readonly ReceivedEvent[]) => Promise<void>,
  ): Promise<void>
  received: ReceivedEvent[]
  /** Webhooks arrive in any order. */
  isUnordered?: true
  stop(): Promise<void>
}

type Page = { data: ReceivedEvent[]; next: string }

const headers = (n: number) => ({ 'x-forwarded-for': `10.200.${n}.1` })

async function cursorOfNow({ call }: ReaderStage): Promise<string> {
  for (;;) {
    const answer = await call('GET', '/api/events')
    if (answer?.status === 200) return (JSON.parse(answer.text) as Page).next
    await sleep(100)
  }
}

export function createPoller(): Receiver {
  const receivedEvents: ReceivedEvent[] = []
  let isStopped = false
  let running = Promise.resolve()
  return {
    name: 'poll',
    received: receivedEvents,
    async start(stage, check) {
      let cursor = await cursorOfNow(stage)
      running = (async () => {
        while (!isStopped) {
          const path = `/api/events?after=${cursor}&limit=200`
          const answer = await stage.call('GET', path, { headers: headers(1) })
          if (answer?.status === 410) throw new Error('The poller’s cursor became unknown')
          if (answer?.status !== 200) {
            await sleep(50)
            continue
          }
          const { data, next } = JSON.parse(answer.text) as Page
          await check(data)
          receivedEvents.push(...data)
          if (next === cursor) await sleep(20)
          cursor = next
        }
      })()
      running.catch(() => {})
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Server-sent events over fetch; resumes with the last id. */
export function createStreamReader(): Receiver {
  const receivedEvents: ReceivedEvent[] = []
  const controller = new AbortController()
  let running = Promise.resolve()
  return {
    name: 'stream',
    received: receivedEvents,
    async start(stage, check) {
      let cursor = await cursorOfNow(stage)
      const follow = async () => {
        const answer = await fetch(`http://127.0.0.1:${stage.port}/api/events`, {
          headers: { accept: 'text/event-stream', 'last-event-id': cursor, ...headers(2) },
          signal: controller.signal,
        })
        if (answer.status === 410) throw new Error('The cursor of the stream became unknown')
        if (answer.status !== 200 || !answer.body) return
        let text = ''
        for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
          text += chunk
          const blocks = text.split('\n\n')
          text = blocks.pop() ?? ''
          for (const block of blocks) {
            const data = /^data: (.*)$/m.exec(block)?.[1]
            const event = data && (JSON.parse(data) as ReceivedEvent)
            if (event) await check([event])
            if (event) receivedEvents.push(event)
            cursor = /^id: (.*)$/m.exec(block)?.[1] ?? cursor
          }
        }
      }
      running = (async () => {
        while (!controller.signal.aborted) {
          await follow().catch((error) => {
            if (error instanceof Error && error.message.includes('unknown')) throw error
          })
          await sleep(20)
        }
      })()
      running.catch(() => {})
    },
    async stop() {
      controller.abort()
      await running
    },
  }
}
