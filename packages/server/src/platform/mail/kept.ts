import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SmsTransport } from '../sms/sms.ts'
import type { MailTransport } from './mail.ts'

/** A message that was kept instead of sent. A text message has a number in `to`, and text alone. */
export type KeptMessage = { to: string; subject: string; text: string; html: string; at: string }

export type KeptMessages = {
  mail: MailTransport
  sms: SmsTransport
  /** Oldest first. */
  list(): Promise<KeptMessage[]>
}

/** Takes the place of mail and phone networks on one machine: a file that grows by a line each. */
export function keepMessages(dataDir: string): KeptMessages {
  const file = join(dataDir, 'mail.jsonl')
  const keep = async (id: string, message: KeptMessage) => {
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
      return unique(lines.split('\n').flatMap(parse))
    },
  }
}

type Line = KeptMessage & { id: string }

/** A line that was cut off by a crash is passed over; its message is sent again. */
function parse(line: string): Line[] {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

/** What was sent again after a crash is shown once. */
function unique(lines: readonly Line[]): KeptMessage[] {
  const byId = new Map(lines.map(({ id, ...message }) => [id, message]))
  return [...byId.values()]
}
