// Loaded into the measured service (`--import`). A client of its socket writes `begin` and `end`, and
// reads the longest turn of the event loop between them, in milliseconds: its processor time, at most
// its duration, so that other programs on the machine count little. `used` tells the processor time of
// the process.
import { rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const path = process.env.HOLD_PROBE
// Threads and programs of the service are not measured.
delete process.env.NODE_OPTIONS
delete process.env.HOLD_PROBE

const usedMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

if (path && isMainThread) {
  let [isMeasuring, longest, began, usedBefore] = [false, 0, 0, 0]
  const turn = () => {
    const [now, used] = [performance.now(), usedMs()]
    longest = Math.max(longest, Math.min(now - began, used - usedBefore))
    ;[began, usedBefore] = [now, used]
    if (isMeasuring) setImmediate(turn)
  }
  const commands = {
    begin() {
      ;[isMeasuring, longest, began, usedBefore] = [true, 0, performance.now(), usedMs()]
      setImmediate(turn)
      return 0
    },
    end() {
      isMeasuring = false
      return longest
    },
    used: usedMs,
  }
  const server = createServer((socket) => {
    socket.on('data', (text) => socket.write(`${commands[String(text).trim()]()}\n`))
    socket.on('error', () => {})
  })
  server.listen(path).unref()
  process.once('exit', () => rmSync(path, { force: true }))
}
