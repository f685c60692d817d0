import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type Client, createClient, RefusedError } from '@emojid/sdk'
import { createAsk } from './ask.ts'
import {
  assertParameters,
  type Command,
  type Context,
  readArguments,
  type Values,
} from './command.ts'
import { commands } from './commands/index.ts'
import { fileTokens } from './credentials.ts'
import {
  exitCodeOf,
  exitCodes,
  FailedError,
  InterruptedError,
  sentenceFor,
  UsageError,
} from './exit-codes.ts'
import { commonOptions, defaultApi, helpFor, overview } from './help.ts'
import { createOutput, plain } from './output.ts'
import type { World } from './world.ts'

/** Runs one command; returns the exit code. */
export async function run(args: readonly string[], world: World): Promise<number> {
  try {
    const { values, positionals } = parse(args)
    const isHelp = positionals[0] === 'help'
    const words = isHelp ? positionals.slice(1) : positionals
    const say = (text: string) => void world.stdout.write(`${text}\n`)
    if (values['version']) say(version())
    else if (words.length === 0) say(overview(commands))
    else {
      const command = find(words)
      assertKnown(command, values)
      if (isHelp || values['help']) say(helpFor(command))
      else await carryOut(command, words.slice(command.name.split(' ').length), values, world)
    }
    return exitCodes.done
  } catch (error) {
    if (world.signal.aborted || error instanceof InterruptedError) {
      world.stderr.write(
        `${error instanceof FailedError ? plain(error.message) : 'Interrupted.'}\n`,
      )
      return exitCodes.interrupted
    }
    world.stderr.write(`${sentenceFor(error).split('\n').map(plain).join('\n')}\n`)
    const cause = error instanceof FailedError && error.cause ? error.cause : error
    return exitCodeOf(cause)
  }
}

async function carryOut(
  command: Command,
  parameters: readonly string[],
  values: Values,
  world: World,
): Promise<void> {
  assertParameters(command, parameters)
  const args = readArguments(parameters, values)
  const usual = addressOf(world.env['EMOJID_API'] || defaultApi)
  const api = addressOf(args.text('api') || usual)
  // EMOJID_KEY belongs to EMOJID_API: it must not be sent to another service.
  const apiKey = args.text('api-key') ?? (api === usual ? world.env['EMOJID_KEY'] : undefined)
  const client = createClient({
    api,
    timeoutMs: 30_000,
    ...(apiKey ? { apiKey } : { tokens: fileTokens(world, api) }),
    fetch: (url, init) => fetch(url, { ...init, signal: anyOf(init?.signal, world.signal) }),
  })
  const ask = createAsk(world)
  const context: Context = {
    world,
    ask,
    api,
    client,
    hasKey: Boolean(apiKey),
    out: createOutput(world, args.flag('json')),
    call: (work) => withCode(client, work, ask),
  }
  await command.run(context, args)
}

const addressOf = (text: string): string => text.replace(/\/+$/, '')

const anyOf = (one: AbortSignal | null | undefined, other: AbortSignal): AbortSignal =>
  one ? AbortSignal.any([one, other]) : other

/** Sensitive operations need a recent code. */
async function withCode<Answer>(
  client: Client,
  work: (client: Client) => Promise<Answer>,
  ask: Context['ask'],
): Promise<Answer> {
  try {
    return await work(client)
  } catch (error) {
    const isOwed = error instanceof RefusedError && error.reason === 'two_factor_required'
    if (!isOwed || !ask.isTerminal) throw error
    await client.giveCode((await ask.text('Code of your second factor')).trim())
    return work(client)
  }
}

type Options = Record<string, { type: 'string' | 'boolean'; multiple?: boolean; short?: string }>

function parse(args: readonly string[]): { values: Values; positionals: string[] } {
  const options: Options = {}
  for (const knownOptions of [commonOptions, ...commands.map((command) => command.options ?? {})]) {
    for (const [name, { type, multiple }] of Object.entries(knownOptions)) {
      options[name] = { type, ...(multiple ? { multiple } : {}) }
    }
  }
  Object.assign(options['help'] ?? {}, { short: 'h' })
  try {
    const parsed = parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
    return { values: parsed.values as Values, positionals: parsed.positionals }
  } catch (error) {
    throw new UsageError((error as Error).message.replace(/\. To specify a positional.*$/s, '.'))
  }
}

/** The longest matching name: `records set` before `records`. */
function find(words: readonly string[]): Command {
  const fittingCommands = commands.filter(({ name }) =>
    name.split(' ').every((part, place) => words[place] === part),
  )
  const [command] = fittingCommands.toSorted((one, other) => other.name.length - one.name.length)
  if (command) return command
  const relatedCommands = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  throw new UsageError(
    relatedCommands.length > 0
      ? `Choose one of: ${relatedCommands.map(({ name }) => `emojid ${name}`).join(', ')}`
      : `Unknown command “${words[0]}”. See: emojid help`,
  )
}

function assertKnown({ name, options = {} }: Command, values: Values): void {
  const strange = Object.keys(values).find(
    (option) => !(option in options) && !(option in commonOptions),
  )
  if (strange)
    throw new UsageError(`emojid ${name} has no option --${strange}. See: emojid help ${name}`)
}

const version = (): string =>
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

export type { World } from './world.ts'
