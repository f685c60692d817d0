import type { EmojiId } from '@emojid/core'
import { transact } from '../../platform/database/database.ts'
import type { Drawer } from '../../platform/drawing/drawer.ts'
import { createGallery } from '../../platform/drawing/gallery.ts'
import { addJob } from '../../platform/jobs/jobs.ts'
import type { Database, Transaction } from '../../tables.ts'
import type { EmojiIds } from '../emoji-ids/index.ts'
import type { Store } from '../store/index.ts'
import * as pictures from './repository.ts'
import * as rules from './rules.ts'

export type Pictures = ReturnType<typeof createPictures>

type Options = {
  db: Database
  drawer: Drawer
  emojiIds: EmojiIds
  store: Store
  now: () => Date
  baseUrl: string
}

/** Some ten megabytes, and at most a few seconds of work that strangers can ask for. */
const cardLimits = { keptAtMost: 200, waitingAtMost: 8, patienceMs: 4_000 }

export const drawTask = 'pictures.draw'

/** Files that show an id, drawn when its owner stores VisualizerData. */
export function createPictures({ db, drawer, emojiIds, store, now, baseUrl }: Options) {
  const cards = createGallery<Buffer>(cardLimits)
  /** However often it is asked for, each id is drawn once; one after the other, after all that is urgent. */
  const ask = (trx: Transaction, emoji_id: EmojiId) =>
    addJob(
      trx,
      drawTask,
      { emoji_id },
      { key: `${drawTask} ${emoji_id}`, queue: 'pictures', priority: 10, max_attempts: 5 },
    )
  store.whenStored(async (trx, id, key) => {
    if (key === 'VisualizerData') await ask(trx, id)
  })

  /** The files of a drawing: those that are there, or new ones. */
  const filesOf = async (id: EmojiId, subject: rules.Subject) => {
    const drawing = rules.drawingOf(subject)
    const drawing_sha256 = rules.sha256(JSON.stringify(drawing))
    const wanted = await drawer.formats()
    const there = await pictures.findDrawn(db, id, drawing_sha256)
    if (wanted.every((format) => there.some((file) => file.format === format))) {
      return { files: there, drawn: [] }
    }
    const created_at = now()
    const drawn = (await drawer.draw(drawing)).map(({ format, content }) => ({
      ...{ format, content, sha256: rules.sha256(content), drawing_sha256, created_at },
    }))
    return { files: drawn, drawn }
  }

  return {
    /** Draws an id as its owner wants it now. What changes hands or minds meanwhile is drawn anew. */
    async draw(id: EmojiId): Promise<void> {
      const subject = await pictures.findSubject(db, id)
      if (!subject) return
      const { files, drawn } = await filesOf(id, subject)
      await transact(db, async (trx) => {
        await emojiIds.findToChange(trx, id)
        const current = await pictures.findSubject(trx, id)
        if (!current) return
        if (!rules.isSame(subject, current)) return ask(trx, id)
        const locations = rules.locationsOf(files, baseUrl)
        const isOpen = await store.putOwn(trx, id, 'VisualizerFileLocations', locations)
        if (isOpen && drawn.length > 0) await pictures.replace(trx, id, drawn)
      })
    },

    /** A card for whoever shows a link to an id, if there is time to draw it. */
    async card(id: EmojiId): Promise<Buffer | 'busy'> {
      const owned = await emojiIds.find(id)
      if (!owned) throw new rules.UnknownPictureError()
      const { display_format } = owned
      const draw = () => drawer.drawStill(rules.cardOf(display_format))
      return (await cards(display_format, draw)) ?? 'busy'
    },

    async load(file: string) {
      const { sha256, format } = rules.readFileName(file)
      const found = await pictures.findContent(db, sha256, format)
      if (!found) throw new rules.UnknownPictureError()
      return { content: found.content, etag: `"${sha256}"`, type: rules.contentTypes[format] }
    },

    stop: drawer.stop,
  }
}
