import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SmsTransport } from '../sms/sms.ts'
import type { MailTransport } from './mail.ts'

/** A message captured instead of sent. A text message has a number in `to` and no HTML. */
export type CapturedMessage = {
  to: string
  subject: string
  text: string
  html: string
  at: string
}

export type CapturedMessages = {
  mail: MailTransport
  sms: SmsTransport
  /** Oldest first. */
  list(): Promise<CapturedMessage[]>
}

/** Captures emails and text messages on one machine, one line per message in a file. */
export function captureMessages(dataDir: string): CapturedMessages {
  const file = join(dataDir, 'mail.jsonl')
  const keep = async (id: string, message: CapturedMessage) => {
    await mkdir(dataDir, { recursive: true })
    await appendFile(file, `${JSON.stringify({ id, ...message })}\n`, { mode: 0o600 })
  }
  return {
    mail: {
      send: ({ id, to, subject, text, html, at }) =>
        keep(id, { to, subject, text, html, at: at.toISOString() }),
    },
    sms: {
      send: ({ id, to, text, at }) =>
        keep(id, { to, subject: '', text, html: '', at: at.toISOString() }),
    },
    async list() {
      const lines = await readFile(file, 'utf8').catch((error) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      return uniqueMessages(lines.split('\n').flatMap(parse))
    },
  }
}

type Line = CapturedMessage & { id: string }

/** Skips a line truncated by a crash; its message is sent again. */
function parse(line: string): Line[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** Shows a message once that was sent again after a crash. */
function uniqueMessages(lines: readonly Line[]): CapturedMessage[] {
  const byId = new Map(lines.map(({ id, ...message }) => [id, message]))
  return [...byId.values()]
}
