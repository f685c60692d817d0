import type { TestService } from './service.ts'

export type StreamedEvent = {
  id: string
  type: string
  cursor: string
  data: { emoji_id?: string; version?: number; order_id?: string }
}

/** A client of server-sent events over fetch, as authenticated clients are. */
export async function openStream(
  service: Pick<TestService, 'address'>,
  path: string,
  headers: Record<string, string> = {},
) {
  const controller = new AbortController()
  const response = await fetch(new URL(path, service.address), {
    headers: { accept: 'text/event-stream', ...headers },
    signal: controller.signal,
  })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  let lastId = ''
  const queue: StreamedEvent[] = []

  const take = async (): Promise<boolean> => {
    const { value, done } = (await reader?.read()) ?? { done: true, value: '' }
    if (done) return false
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const id = /^id: (.*)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (id) lastId = id
      if (data) queue.push(JSON.parse(data))
    }
    return true
  }
  return {
    status: response.status,
    headers: response.headers,
    lastId: () => lastId,
    /** Events up to the first that fits; the connection stays open. */
    async until(fits: (event: StreamedEvent) => boolean) {
      const seenEvents: StreamedEvent[] = []
      for (;;) {
        const next = queue.shift()
        if (next) {
          seenEvents.push(next)
          if (fits(next)) return seenEvents
        } else if (!(await take())) throw new Error('The stream ended')
      }
    },
    /** All further events until the service ends the stream. */
    async rest() {
      while (await take());
      return queue.splice(0)
    },
    close: () => controller.abort(),
  }
}
