// A load generator with low overhead: raw sockets, one pending request per socket. Reads its task
// as JSON from standard input and prints its figures as JSON.
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'

const chunks = []
for await (const chunk of process.stdin) chunks.push(chunk)
const task = JSON.parse(Buffer.concat(chunks).toString())
const fields = (task.headers ?? []).map((line) => `${line}\r\n`).join('')
const head = `Host: ${task.host ?? 'localhost'}\r\n${fields}`
const requests = task.paths.map((path) => `GET ${path} HTTP/1.1\r\n${head}`)
const ends = task.many_networks ? Array.from({ length: 50_000 }, forwardedFor) : []
const whole = requests.map((request) => Buffer.from(`${request}\r\n`))
let next = 0
const nextRequest = () => {
  const n = next++
  if (!task.many_networks) return whole[n % whole.length]
  return requests[n % requests.length] + ends[n % ends.length]
}

const result = task.rate
  ? await openLoop()
  : task.targets
    ? await inTurn()
    : await openSide(task).measure()
console.log(JSON.stringify(result))
process.exit(0)

/** Loads the targets in turn; the figures of each in order. */
async function inTurn() {
  const sides = task.targets.map(openSide)
  const results = sides.map(() => [])
  for (let round = 0; round < task.rounds; round++)
    for (const [nth, side] of sides.entries()) results[nth].push(await side.measure())
  return results
}

/** While measured, every connection sends its next request as soon as the response arrives. */
function openSide({ port, pid, status = 200 }) {
  let [latencies, failed, isActive] = [[], 0, false]
  const resting = []
  const ask = (socket) => {
    socket.due = performance.now()
    socket.write(nextRequest())
  }
  for (let n = 0; n < task.connections; n++) {
    let isFirst = task.first !== undefined
    const socket = client((answered) => {
      if (answered !== (isFirst ? 200 : status)) failed++
      if (!isFirst) latencies.push(performance.now() - socket.due)
      isFirst = false
      if (isActive) ask(socket)
      else resting.push(socket)
    }, port)
    if (isFirst) socket.write(task.first)
    else resting.push(socket)
  }
  return {
    async measure() {
      isActive = true
      for (const socket of resting.splice(0)) ask(socket)
      await sleep(task.warm_up_ms)
      ;[latencies, failed] = [[], 0]
      const [start, cpu] = [performance.now(), cpuMs(pid)]
      await sleep(task.measured_ms)
      const seconds = (performance.now() - start) / 1000
      const per_second = Math.round(latencies.length / seconds)
      const cpu_us = ((cpuMs(pid) - cpu) * 1000) / latencies.length
      const figures = { per_second, cpu_us, ...percentiles(latencies), failed }
      isActive = false
      await sleep(20)
      return figures
    },
  }
}

/**
 * Open-loop load: requests leave on schedule even while earlier ones are pending. Waiting counts as
 * latency.
 */
async function openLoop() {
  const latencies = []
  const free = []
  const queue = []
  let failed = 0
  const dispatch = () => {
    while (free.length > 0 && queue.length > 0) {
      // Round-robin: the server closes connections that idle.
      const socket = free.shift()
      socket.due = queue.shift()
      socket.write(nextRequest())
    }
  }
  const sockets = Array.from({ length: task.connections }, () => {
    const socket = client((status) => {
      latencies.push(performance.now() - socket.due)
      if (status !== 200) failed++
      free.push(socket)
      dispatch()
    })
    return socket
  })
  await Promise.all(sockets.map((socket) => new Promise((done) => socket.once('connect', done))))
  free.push(...sockets)
  const start = performance.now()
  const total = Math.round((task.rate * task.measured_ms) / 1000)
  for (let sentCount = 0; sentCount < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - start) * task.rate) / 1000))
    for (; sentCount < due; sentCount++) queue.push(start + (sentCount * 1000) / task.rate)
    dispatch()
    await sleep(1)
  }
  const per_second = Math.round((latencies.length * 1000) / (performance.now() - start))
  const giveUp = performance.now() + 10_000
  while (latencies.length < total && performance.now() < giveUp) await sleep(10)
  failed += total - latencies.length
  return {
    rate: task.rate,
    per_second,
    ...percentiles(latencies.slice(Math.floor(total / 5))),
    failed,
  }
}

/** The processor time of all threads of a process; 0 where the system does not tell. */
function cpuMs(pid) {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    const times = threads.map((id) => readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'latin1'))
    return times.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1e6
  } catch {
    return 0
  }
}

function percentiles(latencies) {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (part) => {
    const latency = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
    return Math.round(latency * 100) / 100
  }
  return { p50_ms: at(0.5), p95_ms: at(0.95), p99_ms: at(0.99), max_ms: at(1) }
}

/** Calls `answered` with each status. */
function client(onAnswer, port = task.port) {
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true)
  let pending = Buffer.alloc(0)
  socket.on('data', (chunk) => {
    pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
    const end = pending.indexOf('\r\n\r\n')
    if (end < 0) return
    const head = pending.toString('latin1', 0, end)
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
    const whole = end + 4 + length
    if (pending.length < whole) return
    if (pending.length > whole) throw new Error('More bytes than one answer has')
    pending = pending.subarray(whole)
    onAnswer(Number(head.slice(9, 12)))
  })
  const end = (reason) => {
    console.error(reason)
    process.exit(1)
  }
  socket.on('error', (error) => end(error.message))
  socket.on('close', () => end('The server closed a connection'))
  return socket
}

/** The n-th of many networks. The first 200 lie in distinct wide networks. */
function forwardedFor(_, n) {
  return `X-Forwarded-For: ${1 + (n % 200)}.${Math.floor(n / 200) % 250}.1.1\r\n\r\n`
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
