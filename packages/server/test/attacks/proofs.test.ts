import { parseEmojiId } from '@emojid/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { at, grant, proofOf, recordsOf } from '../support/ids.ts'
import { newcomer, type Person, registerAs } from '../support/people.ts'
import { rootFrom, rootOver } from '../support/schnorr.ts'
import type { TestService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

let service: TestService
let admin: Person
let anna: Person
beforeAll(async () => {
  service = await sharedService()
  admin = await registerAs(service, 'Admin')
  anna = await newcomer(service)
})

const insert = async (id: string, texts: string[]) => {
  const body = { insert: texts.map((data) => ({ tag: '0x5001', data })) }
  expect((await anna.patch(at(id), body)).status).toBe(200)
}

describe('the proof of an id with many records', () => {
  it('the proof of an id with many records is computed once after a change, and not resent to a client that has it', async () => {
    const id = parseEmojiId(await grant(admin, { user_id: anna.id }))
    await insert(
      id,
      Array.from({ length: 190 }, (_, n) => `text ${n}`),
    )
    const proofs = new Set<unknown>()
    for (let n = 0; n < 3; n++) {
      await insert(id, [`more ${n}`])
      expect((await proofOf(service, id)).records).toHaveLength(191 + n)
      // The same object: the cached proof is not hashed again.
      const proof = () => service.records.proveRecords(id)
      const isKept = async () => {
        const first = await proof()
        return first === (await proof())
      }
      await expect.poll(isKept).toBe(true)
      proofs.add(await proof())
    }
    expect(proofs.size).toBe(3)
    const etag = (await service.get(at(id, '/proof'))).headers.get('etag') ?? ''
    const knownAnswer = await service.get(at(id, '/proof'), { headers: { 'if-none-match': etag } })
    expect([knownAnswer.status, knownAnswer.body]).toEqual([304, ''])
  })

  it.each([0, 1, 2, 3, 7, 8, 33])('leads from each of %i records to the root', async (count) => {
    const id = await grant(admin, { user_id: anna.id })
    await insert(
      id,
      Array.from({ length: count }, (_, n) => `text ${n}`),
    )
    const proof = await proofOf(service, id)
    expect(proof.merkle_root).toBe(rootOver(proof.records.map(({ hash }) => hash)))
    expect(proof.records.map(({ proof: _, ...record }) => record)).toEqual(
      await recordsOf(service, id),
    )
    for (const { hash, proof: steps } of proof.records) {
      expect(rootFrom(hash, steps)).toBe(proof.merkle_root)
    }
  })

  it('the proof of an id with many records is updated immediately after a change, with another ETag', async () => {
    const id = await grant(admin, { user_id: anna.id })
    const tags = new Set<string | null>()
    for (const text of ['a', 'b', 'c']) {
      await insert(id, [text])
      const answer = await service.get(at(id, '/proof'))
      expect(answer.json<{ records: { data: string }[] }>().records.at(-1)?.data).toBe(text)
      tags.add(answer.headers.get('etag'))
    }
    expect(tags.size).toBe(3)
  })
})

it('the version of a proof never restarts, for any owner (T119)', async () => {
  const id = await grant(admin, { user_id: anna.id })
  const versions = [(await proofOf(service, id)).version]
  const note = async () => versions.push((await proofOf(service, id)).version)
  for (const owner of [admin, anna, anna]) {
    await insert(id, [`text ${versions.length}`])
    await note()
    expect((await anna.delete(at(id))).status).toBe(200)
    await grant(admin, { user_id: owner.id }, id)
    await note()
    if (owner === admin) {
      expect((await admin.delete(at(id))).status).toBe(200)
      await grant(admin, { user_id: anna.id }, id)
      await note()
    }
  }
  expect(versions).toEqual([...new Set(versions)].sort((one, other) => one - other))
  expect(versions[0]).toBeGreaterThan(0)
})
