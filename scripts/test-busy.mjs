// npm run test:busy runs the whole suite beside two busy loops per core.
import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'

// They end with this process, however it ends.
const loop = `for (;;) if (process.ppid !== ${process.pid}) process.exit()`
const loops = Array.from({ length: 2 * availableParallelism() }, () =>
  spawn(process.execPath, ['-e', loop], { stdio: 'ignore' }),
)
console.log(`${loops.length} busy loops run beside the tests.`)
try {
  await import('./test.mjs')
} finally {
  for (const child of loops) child.kill('SIGKILL')
}
