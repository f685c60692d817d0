import { appendFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { captureMessages } from './captured.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'emojid-kept-'))
})
afterAll(() => rm(folder, { recursive: true }))

const at = new Date('2026-01-02T03:04:05Z')
const mail = (id: string) => ({ id, to: 'a@x.com', subject: 's', text: 't', html: 'h', at })

describe('captured messages', () => {
  it('captured messages are empty at first, then complete, in order and without duplicates, even after a broken line', async () => {
    const dataDir = join(folder, 'data')
    const messages = captureMessages(dataDir)
    const before = await messages.list()
    await messages.mail.send(mail('1'))
    await appendFile(join(dataDir, 'mail.jsonl'), '{"id":"half\n')
    await messages.sms.send({ id: '2', to: '+14155550100', text: '123456', at })
    await messages.mail.send(mail('1'))

    expect(before).toEqual([])
    expect(await captureMessages(dataDir).list()).toEqual([
      { to: 'a@x.com', subject: 's', text: 't', html: 'h', at: at.toISOString() },
      { to: '+14155550100', subject: '', text: '123456', html: '', at: at.toISOString() },
    ])
    expect((await stat(join(dataDir, 'mail.jsonl'))).mode & 0o777).toBe(0o600)
  })
})
