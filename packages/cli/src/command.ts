import type { Client } from '@emojid/sdk'
import type { Ask } from './ask.ts'
import { UsageError } from './exit-codes.ts'
import type { Output } from './output.ts'
import type { World } from './world.ts'

export type Option = { type: 'string' | 'boolean'; multiple?: true; about: string; value?: string }

export type Values = Readonly<Record<string, string | boolean | string[] | undefined>>

export type Context = {
  world: World
  out: Output
  ask: Ask
  api: string
  client: Client
  /** True if an API key is used instead of a sign-in. */
  hasKey: boolean
  /** Asks for a code if the service requires one, and repeats the call. */
  call<Answer>(work: (client: Client) => Promise<Answer>): Promise<Answer>
}

export type Command = {
  /** One or two words. */
  name: string
  about: string
  /** The parameters after the name, such as `<id>`. */
  parameters?: readonly string[]
  options?: Readonly<Record<string, Option>>
  /** Further help for the command. */
  details?: string
  /** Tests run every example. */
  examples: readonly string[]
  run(context: Context, parsedArguments: Arguments): Promise<void>
}

/** The parsed arguments of a command. */
export type Arguments = {
  parameters: readonly string[]
  text(option: string): string | undefined
  texts(option: string): readonly string[]
  flag(option: string): boolean
}

export const readArguments = (parameters: readonly string[], values: Values): Arguments => ({
  parameters,
  text: (option) => {
    const value = values[option]
    return typeof value === 'string' ? value : undefined
  },
  texts: (option) => {
    const value = values[option]
    return Array.isArray(value) ? value : []
  },
  flag: (option) => values[option] === true,
})

/** Throws unless the number of parameters fits; `[…]` is optional. */
export function assertParameters({ name, parameters = [] }: Command, args: readonly string[]) {
  const needed = parameters.filter((one) => !one.startsWith('['))
  if (args.length >= needed.length && args.length <= parameters.length) return
  const missing = needed[args.length]
  throw new UsageError(
    missing
      ? `emojid ${name} needs ${missing}. See: emojid help ${name}`
      : `emojid ${name} does not accept “${args[parameters.length]}”. See: emojid help ${name}`,
  )
}
