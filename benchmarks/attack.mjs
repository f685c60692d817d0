// Sends the same few requests repeatedly at minimal cost: raw sockets, one pending request per
// socket, a new connection when the server closes one. Reads its task as JSON from standard input.
// Prints a count per status, and the bytes if asked, when its input ends.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { port, connections, requests, measures_bytes } = JSON.parse((await lines.next()).value)
const bytes = requests.map((request) => Buffer.from(request))
const statuses = {}
const bytesOf = { sent: 0, received: 0 }
const lastChunk = '\r\n0\r\n\r\n'
let next = 0
let isOver = false
let isFirst = true

for (let n = 0; n < connections; n++) open()
await lines.next()
isOver = true
console.log(JSON.stringify(measures_bytes ? { statuses, ...bytesOf } : statuses))
process.exit(0)

function open() {
  const socket = connect(port, '127.0.0.1')
  const ask = () => {
    const request = bytes[next++ % bytes.length]
    bytesOf.sent += request.length
    socket.write(request)
  }
  let head = ''
  let rest = 0
  let isChunked = false
  let status = ''
  socket.on('connect', ask)
  // An empty line tells that the attack has begun.
  if (measures_bytes && isFirst) socket.once('connect', () => process.stdout.write('\n'))
  isFirst = false
  socket.on('data', (chunk) => {
    bytesOf.received += chunk.length
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
    count('closed')
    if (!isOver) setTimeout(open, 10)
  })
}

function count(status) {
  statuses[status] = (statuses[status] ?? 0) + 1
}
