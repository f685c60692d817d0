import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { FailedError, InterruptedError, UsageError } from './exit-codes.ts'
import type { World } from './world.ts'

export type Ask = ReturnType<typeof createAsk>

/** Asks a person at a terminal; without one, reads the lines of standard input in order. */
export function createAsk(world: World) {
  const { stdin, stderr, signal } = world
  const isTerminal = stdin.isTTY === true
  let lines: AsyncIterator<string> | undefined

  const nextLine = async (question: string): Promise<string> => {
    lines ??= createInterface({ input: stdin, signal })[Symbol.asyncIterator]()
    const { value, done } = await lines.next()
    signal.throwIfAborted()
    if (done) throw new UsageError(`${question}: give it on standard input, on a separate line.`)
    return value
  }

  const atTerminal = (question: string, isHidden: boolean): Promise<string> => {
    // readline echoes the typed text; a password is not echoed.
    const output = isHidden ? new Writable({ write: (_chunk, _encoding, done) => done() }) : stderr
    if (isHidden) stderr.write(`${question}: `)
    const reader = createInterface({ input: stdin, output, terminal: true })
    return new Promise<string>((resolve, reject) => {
      const interrupt = () => {
        reject(new InterruptedError('Interrupted'))
        reader.close()
      }
      // In raw mode Ctrl-C is a key, not a signal.
      reader.once('SIGINT', interrupt)
      signal.addEventListener('abort', interrupt, { once: true })
      reader.once('close', () => reject(new UsageError('No answer was entered.')))
      reader.question(isHidden ? '' : `${question}: `, (answer) => {
        resolve(answer)
        reader.close()
      })
    }).finally(() => {
      if (isHidden) stderr.write('\n')
    })
  }

  return {
    isTerminal,
    text: (question: string) => (isTerminal ? atTerminal(question, false) : nextLine(question)),
    secret: (question: string) => (isTerminal ? atTerminal(question, true) : nextLine(question)),
    /** Only a person can agree; scripts pass --yes. */
    async agrees(question: string): Promise<boolean> {
      if (!isTerminal) throw new UsageError('There is no terminal to ask. Pass --yes to continue.')
      return /^y(es)?$/i.test((await atTerminal(`${question} [y/N]`, false)).trim())
    },
  }
}

/** The option of commands that ask before they change something. */
export const yes = { type: 'boolean', about: 'skip the confirmation' } as const

/** Asks, unless the person agreed by the option `--yes`; throws if the answer is no. */
export async function assertAgreed(ask: Ask, isAgreed: boolean, question: string): Promise<void> {
  if (!isAgreed && !(await ask.agrees(question))) throw new FailedError('Nothing changed.')
}
