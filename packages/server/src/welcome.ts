import type { Config } from './config.ts'
import { findProgram } from './platform/drawing/video.ts'

/** The addresses of the service, for the operator who started it. */
export function publicAddresses(config: Config): [name: string, url: string][] {
  const { roles, base_url, web_url, auth_url, has_dev_pages, port, sandbox_port } = config
  const rows: [shown: boolean, name: string, url: string][] = [
    [roles.has('web'), 'Web', web_url],
    [roles.has('api'), 'API', base_url],
    [roles.has('api'), 'API explorer', `${base_url}/docs/`],
    [roles.has('auth'), 'Authorization', `${auth_url}/`],
    [roles.has('web') && has_dev_pages, 'Emails and examples', `${web_url}/dev`],
    [sandbox_port !== undefined, 'Play money', `http://localhost:${sandbox_port}/`],
    [true, 'Health', `http://localhost:${port}/health/ready`],
  ]
  return rows.filter(([isShown]) => isShown).map(([, name, url]) => [name, url])
}

/** The page that shows captured emails; empty if emails are sent. */
export const mailPageUrl = ({ roles, web_url, has_dev_pages, smtp_url }: Config): string =>
  has_dev_pages && roles.has('web') && !smtp_url ? `${web_url}/dev#messages` : ''

export function tryLine({ base_url, seed_demo }: Config): string {
  const path = seed_demo ? `emoji_id/${encodeURIComponent('🔥🐍')}` : 'emoji'
  return `curl ${base_url}/${path}`
}

/** Says what this process cannot do for lack of a program, and how to get it. */
export async function missingPrograms({ roles, ffmpeg_places }: Config): Promise<string[]> {
  if (!roles.has('worker') || (await findProgram(ffmpeg_places))) return []
  return [
    'ffmpeg is missing: pictures of ids have no video. Install it (Debian: apt-get install ffmpeg, macOS: brew install ffmpeg) or set FFMPEG_PATH.',
  ]
}

export function welcome(config: Config, notices: readonly string[] = []): string {
  const data = config.database_url ? 'the server at DATABASE_URL' : config.data_dir
  const rows = [...publicAddresses(config), ['Data', data]]
  const width = Math.max(...rows.map(([name]) => name?.length ?? 0))
  return [
    '',
    'The Emoji Id Directory is ready.',
    '',
    ...rows.map(([name, value]) => `  ${name?.padEnd(width)}  ${value}`),
    '',
    ...notices.map((notice) => `  ${notice}`),
    ...(notices.length > 0 ? [''] : []),
    ...(config.roles.has('api') ? [`  Try it: ${tryLine(config)}`] : []),
    '  Stop it: Ctrl-C',
    '',
  ].join('\n')
}
