import { describe, expect, it } from 'vitest'
import { readConfig } from './config.ts'
import { missingPrograms, welcome } from './welcome.ts'

const linesFor = async (environment: Record<string, string>) => {
  const config = readConfig(environment)
  return welcome(config, await missingPrograms(config))
}

describe('the message of a start', () => {
  it('says that videos need ffmpeg, and how to get it, in processes that draw', async () => {
    const FFMPEG_PATH = '/nowhere/ffmpeg'
    const printed = await linesFor({ FFMPEG_PATH })
    expect(printed).toContain('ffmpeg is missing: pictures of ids have no video.')
    expect(printed).toContain('apt-get install ffmpeg')
    expect(await linesFor({ FFMPEG_PATH: process.execPath })).not.toContain('ffmpeg')
    expect(await linesFor({ FFMPEG_PATH, ROLES: 'api' })).not.toContain('ffmpeg')
  })
})
