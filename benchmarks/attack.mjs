// Sends the same few requests repeatedly at minimal cost: raw sockets, one pending request per
// socket, a new connection when the server closes one. Reads its task as JSON from standard input.
// Prints a count per status when its input ends.
import { connect } from 'node:net'
import { createInterface } from 'node:readline'

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]()
const { port, connections, requests } = JSON.parse((await lines.next()).value)
const bytes = requests.map((request) => Buffer.from(request))
const statuses = {}
let next = 0
let isOver = false

for (let n = 0; n < connections; n++) open()
await lines.next()
isOver = true
console.log(JSON.stringify(statuses))
process.exit(0)

function open() {
  const socket = connect(port, '127.0.0.1')
  const ask = () => socket.write(bytes[next++ % bytes.length])
  let head = ''
  let rest = 0
  socket.on('connect', ask)
  socket.on('data', (chunk) => {
    if (rest === 0) {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      rest = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) + end + 4 - head.length
    } else rest -= chunk.length
    if (rest > 0) return
    count(head.slice(9, 12))
    head = ''
    rest = 0
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
