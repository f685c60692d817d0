import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type RawAnswer = { status: number; text: string; ms: number }

/** Sends bytes as they are and waits until the other side closes. */
export function sendRaw(port: number, text: string, giveUpMs = 10_000): Promise<RawAnswer> {
  return converse(port, giveUpMs, (write) => void write(text))
}

/** Sends one byte a second, the way somebody does who wants to occupy a server. */
export function sendSlowly(port: number, start: string, giveUpMs: number): Promise<RawAnswer> {
  return converse(port, giveUpMs, async (write, isOpen) => {
    write(start)
    while (isOpen()) {
      await sleep(1_000)
      write('a')
    }
  })
}

type Talk = (write: (text: string) => void, isOpen: () => boolean) => void | Promise<void>

function converse(port: number, giveUpMs: number, talk: Talk): Promise<RawAnswer> {
  const started = Date.now()
  return new Promise((resolve, reject) => {
    let text = ''
    let open = true
    const socket = connect(port, '127.0.0.1')
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`Still open after ${giveUpMs} ms: ${text}`))
    }, giveUpMs)
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      open = false
      clearTimeout(timer)
      resolve({ status: Number(text.split(' ')[1]), text, ms: Date.now() - started })
    })
    socket.on('connect', () =>
      talk(
        (part) => open && socket.write(part),
        () => open,
      ),
    )
  })
}

/** Sends something and is gone, without waiting for an answer. */
export function leaveAfter(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('error', () => {})
    setTimeout(() => socket.destroy(), 100)
    socket.on('close', () => setTimeout(resolve, 50))
  })
}
