import { parseEmojiId } from '@emojid/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestService, testService } from '../../../../test/support/service.ts'
import { transact } from '../../../platform/database/database.ts'

let service: TestService
beforeAll(async () => {
  service = await testService()
})
afterAll(() => service.close())

const id = encodeURIComponent('🔥🐍')
const store = (rest: string) => service.get(`/api/emoji_id/${id}/json${rest}`)

describe('GET /emoji_id/{id}/json', () => {
  it.each([
    '?keys=SvcPageData,VisualizerName',
    '?keys=SvcPageData%2CVisualizerName',
    '?keys=SvcPageData&keys=VisualizerName',
  ])('%s returns the entries by key', async (query) => {
    const entries = (await store(query)).json<Record<string, { data: unknown }>>()

    expect(Object.keys(entries)).toEqual(['SvcPageData', 'VisualizerName'])
    expect(entries['SvcPageData']?.data).toMatchObject({ title: 'Fire Snake' })
    expect(entries['VisualizerName']).toMatchObject({ data: {}, is_locked: false })
  })

  it.each(['', '?keys=', '?keys=Nope', '?keys=SvcPageData,Nope', '?keys=__proto__'])(
    'rejects %s',
    async (query) => {
      expect((await store(query)).status).toBe(400)
    },
  )
})

describe('GET /emoji_id/{id}/json/{key}', () => {
  it('returns an empty object with the dates of the id when nothing is stored', async () => {
    const entry = (await store('/VisualizerData')).json()

    expect(entry).toMatchObject({ data: {}, is_locked: false })
    expect(entry['created_at']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect(entry['updated_at']).toBe(entry['created_at'])
  })

  it('rejects an unknown key, and an unregistered id with 404', async () => {
    expect((await store('/Nope')).status).toBe(400)
    expect(
      (await service.get(`/api/emoji_id/${encodeURIComponent('🔥')}/json/SvcPageData`)).status,
    ).toBe(404)
  })
})

describe('GET /redirect', () => {
  const follow = (link: string) =>
    service.get(`/api/redirect?emoji_id=${id}&link=${encodeURIComponent(link)}`)

  it.each(['https://example.com/fire-snake', 'https://shop.example.com/fire-snake?from=emoji'])(
    'leads to %s, which the id names',
    async (link) => {
      const { status, headers } = await follow(link)
      expect([status, headers.get('location')]).toEqual([303, link])
    },
  )

  it('encodes the target for a header', async () => {
    const link = 'https://example.com/ü🔥'
    await transact(service.db, (trx) =>
      service.edits.writeDemoRecords(trx, parseEmojiId('🐙🍕👑'), [{ tag: '0x4001', data: link }]),
    )
    const octopus = encodeURIComponent('🐙🍕👑')
    const { status, headers } = await service.get(
      `/api/redirect?emoji_id=${octopus}&link=${encodeURIComponent(link)}`,
    )
    expect([status, headers.get('location')]).toEqual([
      303,
      'https://example.com/%C3%BC%F0%9F%94%A5',
    ])
  })

  it('GET /redirect does not lead to a text that looks like a link', async () => {
    await transact(service.db, (trx) =>
      service.edits.writeDemoRecords(trx, parseEmojiId('🐙🍕👑'), [
        { tag: '0x5001', data: 'https://u:p@evil.example' },
      ]),
    )
    const octopus = encodeURIComponent('🐙🍕👑')
    const { status } = await service.get(
      `/api/redirect?emoji_id=${octopus}&link=${encodeURIComponent('https://u:p@evil.example')}`,
    )
    expect(status).toBe(404)
  })

  it.each([
    'https://evil.example',
    'https://example.com/fire-snake/',
    'https://example.com/fire-snake#x',
    'HTTPS://example.com/fire-snake',
    'javascript:alert(1)',
    'Fire Snake',
    'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
    '//evil.example',
    '',
  ])('GET /redirect does not lead to %s', async (link) => {
    const { status, headers } = await follow(link)
    expect([status, headers.get('location')]).toEqual([404, null])
  })
})
