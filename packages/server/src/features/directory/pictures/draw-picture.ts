import type { EmojiId } from '@emojid/core'
import { transact } from '../../../platform/database/database.ts'
import { addJob } from '../../../platform/jobs/jobs.ts'
import type { Transaction } from '../../../tables.ts'
import type { Deps } from './deps.ts'
import * as pictures from './repository.ts'
import * as rules from './rules.ts'

export const drawTask = 'pictures.draw'

export async function redrawWhenStored(trx: Transaction, id: EmojiId, key: string) {
  if (key === 'VisualizerData') await queueDrawing(trx, id)
}

/**
 * Draws an id as its owner configured it. If the owner or the data changed meanwhile, it is queued
 * again.
 */
export async function drawPicture(deps: Deps, id: EmojiId): Promise<void> {
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
