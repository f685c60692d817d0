/** One message of a stream of server-sent events; a message without data only moves the cursor. */
export type ServerSentEvent = { id: string | undefined; data: string | undefined }

const longestText = 1_000_000

/** Reads the messages of a stream; calls `whenSilent` if nothing arrives for the given time. */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  { silenceMs, whenSilent }: { silenceMs: number; whenSilent: () => void },
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const timer = setTimeout(whenSilent, silenceMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      text += decoder.decode(value, { stream: true }).replaceAll('\r', '')
      if (text.length > longestText) return
      for (;;) {
        const end = text.indexOf('\n\n')
        if (end < 0) break
        yield readMessage(text.slice(0, end))
        text = text.slice(end + 2)
      }
    }
  } finally {
    await reader.cancel().catch(() => {})
  }
}

function readMessage(block: string): ServerSentEvent {
  let id: string | undefined
  const data: string[] = []
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(id|data): ?(.*)$/.exec(line) ?? []
    if (name === 'id') id = value
    if (name === 'data') data.push(value)
  }
  return { id, data: data.length > 0 ? data.join('\n') : undefined }
}
