import type { Config } from './config.ts'

/** Where things are, for the person who started the service. */
export function publicAddresses(config: Config): [name: string, url: string][] {
  return [
    ['Web', config.web_url],
    ['API', config.base_url],
    ['API, to try', `${config.base_url}/docs`],
    ['Authorization', config.auth_url],
    ...(config.loopback ? [['Development', `${config.web_url}/dev`] as [string, string]] : []),
    ['Health', `http://localhost:${config.port}/health/ready`],
  ]
}

export const tryLine = ({ base_url }: Config): string =>
  `curl ${base_url}/emoji_id/${encodeURIComponent('🔥🐍')}`

export function welcome(config: Config): string {
  const rows = [
    ...publicAddresses(config),
    ['Data', config.database_url ? 'the server at DATABASE_URL' : config.data_dir],
  ]
  const width = Math.max(...rows.map(([name]) => name?.length ?? 0))
  const lines = rows.map(([name, value]) => `  ${name?.padEnd(width)}  ${value}`)
  return [
    '',
    'The Emoji Id Directory is ready.',
    '',
    ...lines,
    '',
    `  Try it: ${tryLine(config)}`,
    '  Stop it: Ctrl-C',
    '',
  ].join('\n')
}
