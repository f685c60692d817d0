import type { Command, Option } from './command.ts'
import { exitMeanings } from './exit-codes.ts'

export const defaultApi = 'http://localhost:3000/api'

export const commonOptions: Record<string, Option> = {
  api: {
    type: 'string',
    value: 'address',
    about: `the API; default: EMOJID_API, else ${defaultApi}`,
  },
  'api-key': {
    type: 'string',
    value: 'key',
    about: 'instead of a sign-in; better in EMOJID_KEY, which is sent to no other --api',
  },
  json: { type: 'boolean', about: 'JSON on a terminal too; piped output is always JSON' },
  help: { type: 'boolean', about: 'help for the command' },
  version: { type: 'boolean', about: 'the version of this program' },
}

export function overview(commands: readonly Command[]): string {
  const longest = Math.max(...commands.map(({ name }) => name.length))
  return [
    'Look up, pay and manage emoji ids.',
    '',
    'Usage: emojid <command> [options]',
    '',
    'Commands:',
    ...commands.map(({ name, about }) => `  ${name.padEnd(longest)}  ${about}`),
    `  ${'help'.padEnd(longest)}  Help for a command: emojid help pay`,
    '',
    ...optionLines('Options of all commands:', commonOptions),
    '',
    'Lists are JSON lines when piped. NO_COLOR is supported.',
    '',
    'Exit codes:',
    ...exitMeanings.map(([code, meaning]) => `  ${String(code).padStart(3)}  ${meaning}`),
  ].join('\n')
}

export function helpFor({ name, about, parameters = [], options = {}, ...command }: Command) {
  const { details, examples } = command
  const hasOptions = Object.keys(options).length > 0
  return [
    `${about}.`,
    ...(details ? ['', details] : []),
    '',
    `Usage: ${['emojid', name, ...parameters].join(' ')} [options]`,
    ...(hasOptions ? ['', ...optionLines('Options:', options)] : []),
    '',
    'Examples:',
    ...examples.map((example) => `  $ ${example}`),
  ].join('\n')
}

function optionLines(title: string, options: Readonly<Record<string, Option>>): string[] {
  const named = Object.entries(options).map(([name, { value, about }]) => ({
    about,
    left: value ? `--${name} <${value}>` : `--${name}`,
  }))
  const longest = Math.max(...named.map(({ left }) => left.length))
  return [title, ...named.map(({ left, about }) => `  ${left.padEnd(longest)}  ${about}`)]
}
