import type { EmojiId } from '@emojid/core'
import { bindUseCases } from '../../../platform/bind.ts'
import { transact } from '../../../platform/database/database.ts'
import type { Drawer } from '../../../platform/drawing/drawer.ts'
import { createGallery } from '../../../platform/drawing/gallery.ts'
import { createBudget } from '../../../platform/http/limits.ts'
import type { Range } from '../../../platform/http/unchanging.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { JobModule } from '../../../platform/jobs/worker.ts'
import type { Database, Transaction } from '../../../tables.ts'
import { assertNotSuspended, type EmojiIds } from '../emoji-ids/emoji-ids.ts'
import type { Store } from '../store/store.ts'
import * as pictures from './repository.ts'
import * as rules from './rules.ts'

export { showEmojiId, themeOf } from './rules.ts'

export type Options = {
  db: Database
  drawer: Drawer
  emojiIds: EmojiIds
  store: Store
  now: () => Date
  baseUrl: string
}

type Deps = Options & {
  /** Drawn cards, in memory. */
  cards: ReturnType<typeof createGallery<Buffer>>
}

/** In bytes: the query of any request. */
export const costs = { least: 20_000 }

/** Files have megabytes. A network can load 30 of them at once, and then two a second. */
const rates = {
  each: { atOnce: 60_000_000, perSecond: 4_000_000 },
  all: { atOnce: 240_000_000, perSecond: 20_000_000 },
}

/**
 * Bounds the memory to about ten megabytes, and the work that anonymous requests can cause to a few
 * seconds.
 */
const cardLimits = {
  cachedAtMost: 200,
  waitingAtMost: { each: 7, all: 28 },
  patienceMs: 4_000,
}

export type Pictures = ReturnType<typeof createPictures>

/** Pictures of ids, drawn when the owner stores VisualizerData. */
export function createPictures(options: Options) {
  const { store, drawer } = options
  const deps: Deps = { ...options, cards: createGallery<Buffer>(cardLimits) }
  store.whenStored(redrawWhenStored)

  return {
    bytes: createBudget('pictures', rates),
    ...bindUseCases(deps, { drawPicture, showCard, loadPicture }),
    stop: drawer.stop,
  }
}

/**
 * Draws an id as its owner configured it. If the owner or the data changed meanwhile, it is queued
 * again.
 */
async function drawPicture(deps: Deps, id: EmojiId): Promise<void> {
  const { db, emojiIds, baseUrl, store } = deps
  const subject = await pictures.findSubject(db, id)
  if (!subject) return
  const { files, drawn } = await drawFiles(deps, id, subject)
  await transact(db, async (trx) => {
    await emojiIds.findIdToChange(trx, id)
    const current = await pictures.findSubject(trx, id)
    if (!current) return
    if (!rules.isSame(subject, current)) return queueDrawing(trx, id)
    const locations = rules.locationsOf(files, baseUrl)
    const isOpen = await store.putServiceEntry(trx, id, 'VisualizerFileLocations', locations)
    if (isOpen && drawn.length > 0) await pictures.replace(trx, id, drawn)
  })
}

/** Returns the files of a drawing; draws them if a format is missing. */
async function drawFiles({ drawer, db, now }: Deps, id: EmojiId, subject: rules.Subject) {
  const drawing = rules.drawingOf(subject)
  const drawing_sha256 = rules.sha256(JSON.stringify(drawing))
  const formats = await drawer.formats()
  const there = await pictures.findDrawn(db, id, drawing_sha256)
  if (formats.every((format) => there.some((file) => file.format === format))) {
    return { files: there, drawn: [] }
  }
  const created_at = now()
  const files = (await drawer.draw(drawing)).map(({ format, content }) => ({
    format,
    content,
    sha256: rules.sha256(content),
    drawing_sha256,
    created_at,
  }))
  return { files: files, drawn: files }
}

export const drawTask = 'pictures.draw'

/**
 * Queues the drawing of an id. The key merges repeated requests; the queue draws one id at a time,
 * after urgent jobs.
 */
function queueDrawing(trx: Transaction, emoji_id: EmojiId) {
  return addJob(
    trx,
    drawTask,
    { emoji_id },
    { key: `${drawTask} ${emoji_id}`, queue: 'pictures', priority: 10, max_attempts: 5 },
  )
}

/** The card for link previews of an id; `busy` if too many of the network wait to be drawn. */
async function showCard(
  { emojiIds, drawer, cards }: Deps,
  id: EmojiId,
  network: string,
): Promise<Buffer | 'busy'> {
  const ownedId = await emojiIds.findId(id)
  if (!ownedId) throw rules.unknownPicture()
  assertNotSuspended(ownedId)
  const { display_format } = ownedId
  const draw = () => drawer.drawStill(rules.cardOf(display_format))
  return (await cards(display_format, network, draw)) ?? 'busy'
}

/** A picture whose content is read in parts, as far as a client needs it. */
async function loadPicture({ db }: Deps, file: string) {
  const name = rules.readFileName(file)
  const picture = await pictures.findPicture(db, name.sha256, name.format)
  if (!picture) throw rules.unknownPicture()
  assertNotSuspended(picture)
  const read = async (range: Range): Promise<Buffer> => {
    const part = await pictures.findPart(db, name, range)
    // The owner replaced it: the length was promised already, so the connection is cut off.
    if (!part) throw rules.unknownPicture()
    return part.content
  }
  const { length } = picture
  return { length, read, etag: `"${name.sha256}"`, type: rules.contentTypes[name.format] }
}

async function redrawWhenStored(trx: Transaction, id: EmojiId, key: string) {
  if (key === 'VisualizerData') await queueDrawing(trx, id)
}

export const pictureJobs = (pictures: Pictures): JobModule => ({
  tasks: {
    [drawTask]: (payload) => pictures.drawPicture((payload as { emoji_id: EmojiId }).emoji_id),
  },
})
