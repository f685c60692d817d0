// Loaded into the measured service (`--import`). A client of its socket writes `begin` and `end`, and
// reads the turns of the event loop between them: the longest, and the one in which a request would
// arrive at the 95th percentile of time. A turn counts its processor time in milliseconds, at most its
// duration, so that other programs on the machine count little. `used` tells the processor time of the
// process.
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
  let [isMeasuring, began, usedBefore] = [false, 0, 0]
  let turns = []
  const turn = () => {
    const [now, used] = [performance.now(), usedMs()]
    turns.push(Math.min(now - began, used - usedBefore))
    ;[began, usedBefore] = [now, used]
    if (isMeasuring) setImmediate(turn)
  }
  const commands = {
    begin() {
      ;[isMeasuring, turns, began, usedBefore] = [true, [], performance.now(), usedMs()]
      setImmediate(turn)
      return {}
    },
    end() {
      isMeasuring = false
      const sorted = turns.toSorted((a, b) => a - b)
      const all = sorted.reduce((sum, one) => sum + one, 0)
      let passed = 0
      const p95 =
        sorted.find((one) => {
          passed += one
          return passed >= 0.95 * all
        }) ?? 0
      return { longest: sorted.at(-1) ?? 0, p95 }
    },
    used: () => ({ used: usedMs() }),
  }
  const server = createServer((socket) => {
    socket.on('data', (text) =>
      socket.write(`${JSON.stringify(commands[String(text).trim()]())}\n`),
    )
    socket.on('error', () => {})
  })
  server.listen(path).unref()
  process.once('exit', () => rmSync(path, { force: true }))
}
