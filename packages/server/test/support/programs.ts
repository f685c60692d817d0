import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitUntil } from './wait.ts'

const root = fileURLToPath(new URL('../../../..', import.meta.url))

/** Runs a file of examples/, or a text of the documentation, in its own process as its reader would. */
export function startProgram(program: string, env: Record<string, string>, args: string[] = []) {
  const isFile = program.startsWith('examples/')
  const child = spawn(process.execPath, isFile ? [program, ...args] : ['--input-type=module'], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const close = once(child, 'close')
  let output = ''
  let isOver = false
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    output += chunk
  })
  void close.then(() => {
    isOver = true
  })
  child.stdin.end(isFile ? '' : program)
  return {
    output: () => output,
    /** Waits for a text of the output; the end of the program ends the wait too. */
    async waitFor(text: string) {
      await waitUntil(() => isOver || output.includes(text) || `The program did not print ${text}.`)
    },
    /** The status and output of a program that ends. */
    async finish() {
      await close
      return { status: child.exitCode, output }
    },
    async stop() {
      child.kill()
      await close
    },
  }
}
