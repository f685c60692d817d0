// Sends the same requests repeatedly at minimal cost: raw sockets, one pending request per socket, a
// new connection when the server closes one. Each line of standard input is an attack as JSON, which
// an empty line ends. Prints an empty line when an attack has begun, and at its end a count per
// status, and the bytes.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const lastChunk = '\r\n0\r\n\r\n'
let attack

for await (const line of createInterface({ input: process.stdin })) {
  if (line !== '') attack = begin(JSON.parse(line))
  else if (attack) attack = attack.end()
}
attack?.end()
process.exit(0)

function begin({ port, connections, requests }) {
  const bytes = requests.map((request) => Buffer.from(request))
  const statuses = {}
  const sockets = new Set()
  let [sent, received, next] = [0, 0, 0]
  let isOver = false
  const count = (status) => {
    statuses[status] = (statuses[status] ?? 0) + 1
  }

  const open = () => {
    if (isOver) return
    const socket = connect(port, '127.0.0.1')
    sockets.add(socket)
    const ask = () => {
      const request = bytes[next++ % bytes.length]
      sent += request.length
      socket.write(request)
    }
    let head = ''
    let rest = 0
    let isChunked = false
    let status = ''
    socket.on('connect', ask)
    socket.on('data', (chunk) => {
      received += chunk.length
      if (isChunked) {
        head = (head + chunk.subarray(-lastChunk.length).toString('latin1')).slice(-20)
        if (!head.endsWith(lastChunk)) return
      } else if (rest === 0) {
        head += chunk.toString('latin1')
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        status = head.slice(0, 12)
        isChunked = /\r\ntransfer-encoding: chunked/i.test(head.slice(0, end))
        if (isChunked && !head.endsWith(lastChunk)) return
        rest = isChunked
          ? 0
          : Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) + end + 4 - head.length
      } else rest -= chunk.length
      if (rest > 0) return
      count(status.slice(9))
      head = ''
      rest = 0
      isChunked = false
      ask()
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      if (isOver) return
      count('closed')
      setTimeout(open, 10)
    })
  }

  for (let n = 0; n < connections; n++) open()
  process.stdout.write('\n')
  return {
    end() {
      isOver = true
      for (const socket of sockets) socket.destroy()
      process.stdout.write(`${JSON.stringify({ statuses, sent, received })}\n`)
    },
  }
}
