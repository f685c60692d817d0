import type { Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

type Mode =
  | 'accept'
  /** 550 to the recipient: permanent. */
  | 'refuse'
  /** 550 5.7.1 to the recipient: sender rejected. */
  | 'deny'
  /** 451 to the recipient: temporary. */
  | 'defer'
  /** Accepts connections without responding. */
  | 'hang'
  /** Accepts the message without acknowledging it. */
  | 'take silently'

type ReceivedMail = { envelope: { from: string; to: string[] }; raw: string; mail: Email }
export type SmtpSink = Awaited<ReturnType<typeof smtpSink>>

/** A real SMTP server on loopback that collects emails, and misbehaves on demand. */
export async function smtpSink() {
  const receivedMails: ReceivedMail[] = []
  let mode: Mode = 'accept'
  let connections = 0

  const build = () => {
    const sockets = new Set<Socket>()
    const server = new QuickServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onConnect(_session, proceed) {
        connections++
        if (mode !== 'hang') proceed()
      },
      onRcptTo(_address, _session, proceed) {
        const refusal = refusals[mode]
        proceed(refusal && Object.assign(new Error(refusal[1]), { responseCode: refusal[0] }))
      },
      onData(stream, { envelope }, proceed) {
        const collect = async () => {
          const raw = Buffer.concat(await stream.toArray()).toString()
          receivedMails.push({
            envelope: {
              from: envelope.mailFrom ? envelope.mailFrom.address : '',
              to: envelope.rcptTo.map(({ address }) => address),
            },
            raw,
            mail: await PostalMime.parse(raw),
          })
          if (mode !== 'take silently') proceed()
        }
        // A sender killed halfway has sent nothing.
        collect().catch(proceed)
      },
    })
    server.on('error', () => {})
    server.server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    return { server, sockets }
  }

  let running: ReturnType<typeof build> | undefined
  let port = 0
  const up = async () => {
    const built = build()
    await new Promise<void>((resolve) => built.server.listen(port, '127.0.0.1', resolve))
    port = (built.server.server.address() as { port: number }).port
    running = built
  }
  const down = async () => {
    if (!running) return
    const { server, sockets } = running
    running = undefined
    const closing = new Promise<void>((resolve) => server.close(() => resolve()))
    for (const socket of sockets) socket.destroy()
    await closing
  }
  await up()

  return {
    url: `smtp://127.0.0.1:${port}`,
    received: receivedMails,
    connections: () => connections,
    behave(next: Mode) {
      mode = next
    },
    /** Stops listening. */
    down,
    up,
    close: down,
  }
}

class QuickServer extends SMTPServer {
  /** Greets at once. The library waits 100 ms for clients that speak first; ours never do. */
  override connect(...args: Parameters<SMTPServer['connect']>): void {
    super.connect(...args)
    const newest = [...this.connections].at(-1)
    if (!newest) return
    newest.connectionReady()
    // The library's timer calls it again.
    newest.connectionReady = () => {}
  }
}

const refusals: Partial<Record<Mode, [code: number, text: string]>> = {
  refuse: [550, '5.1.1 No such mailbox here'],
  deny: [550, '5.7.1 Relaying denied'],
  defer: [451, '4.3.0 Try again later'],
}
