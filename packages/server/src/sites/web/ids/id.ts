import { createHash } from 'node:crypto'
import { type EmojiId, type Profile, pictureOf, readProfile, type StoredRecord } from '@emojid/core'
import type { Catalog } from '../../../features/directory/catalog/catalog.ts'
import type { EmojiIds } from '../../../features/directory/emoji-ids/emoji-ids.ts'
import { UnregisteredError } from '../../../features/directory/emoji-ids/emoji-ids.ts'
import type { Pictures } from '../../../features/directory/pictures/pictures.ts'
import { type Records, restless } from '../../../features/directory/records/records.ts'
import type { Store } from '../../../features/directory/store/store.ts'
import { isWithin } from '../../../platform/http/pages/links.ts'

import { type WayToPay, waysToPay } from './ways-to-pay.ts'

/** Everything that the page of an id shows. */
export type ShownId = {
  id: EmojiId
  /** With the skin tones that its owner prefers. */
  display: string
  profile: Profile
  ways: WayToPay[]
  /** The address of its picture, if the owner has one drawn. */
  picture: string | undefined
  changed_at: Date | undefined
  /** The time at which a planned change of payment addresses takes effect. */
  changes_at: Date | undefined
}

type Reader = Pick<IdFeatures, 'emojiIds' | 'records' | 'store'> & { authUrl: string }
const triesAtMost = 5
const shownKeys = ['SvcPageData', 'SvcLinkData', 'VisualizerFileLocations'] as const
type RecordSet = { records: StoredRecord[]; changed_at: string | null }

export function createReader({ emojiIds, records, store, authUrl }: Reader) {
  /** Reads no stored data, and changes with every change of the page. */
  const readVersion = async (id: EmojiId): Promise<string> => {
    const { etag } = await records.proveRecords(id)
    const [ownedId, stamp] = await Promise.all([
      emojiIds.findId(id),
      store.stampStore(id, shownKeys),
    ])
    if (!ownedId) throw new UnregisteredError(id)
    const changes_at = await records.findChangeTime(id)
    return hashOf([id, etag, ownedId.display_format, changes_at, stamp])
  }
  const load = async (id: EmojiId): Promise<ShownId> => {
    const [ownedId, [page, links, files]] = await Promise.all([
      emojiIds.findId(id),
      store.readStore(id, shownKeys),
    ])
    if (!ownedId) throw new UnregisteredError(id)
    const changes_at = await records.findChangeTime(id)
    const set: RecordSet = JSON.parse((await records.proveRecords(id)).body.toString())
    return {
      id,
      display: ownedId.display_format,
      ways: await waysToPay(set.records),
      profile: withoutLinksTo(authUrl, readProfile(set.records, page, links)),
      picture: pictureOf(files),
      changes_at,
      changed_at: set.changed_at ? new Date(set.changed_at) : undefined,
    }
  }
  /**
   * Repeats the read until nothing changed meanwhile, so that a name never stands beside the
   * addresses of another owner.
   */
  const readId = async (id: EmojiId): Promise<{ version: string; view: ShownId }> => {
    let version = await readVersion(id)
    for (let tries = 0; tries < triesAtMost; tries++) {
      const view = await load(id)
      const latest = await readVersion(id)
      if (latest === version) return { version, view }
      version = latest
    }
    throw restless()
  }
  return { readVersion, readId }
}

const hashOf = (parts: unknown): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** Owners must not link to the sign-in site: only our own pages and applications do. */
const withoutLinksTo = (site: string, profile: Profile): Profile => ({
  ...profile,
  links: profile.links.filter(({ url }) => !isWithin(site, url)),
})

export type IdFeatures = {
  catalog: Catalog
  emojiIds: EmojiIds
  pictures: Pick<Pictures, 'showCard'>
  records: Records
  store: Store
}
