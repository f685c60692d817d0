import { bindUseCases } from '../../../platform/bind.ts'
import { createGallery } from '../../../platform/drawing/gallery.ts'
import type { Deps, Options } from './deps.ts'
import { drawPicture, redrawWhenStored } from './draw-picture.ts'
import { createLimits } from './limits.ts'
import { loadPicture } from './load-picture.ts'
import { cardLimits, showCard } from './show-card.ts'

export type Pictures = ReturnType<typeof createPictures>

/** Pictures of ids, drawn when the owner stores VisualizerData. */
export function createPictures(options: Options) {
  const { store, drawer } = options
  const deps: Deps = { ...options, cards: createGallery<Buffer>(cardLimits) }
  store.whenStored(redrawWhenStored)

  return {
    limits: createLimits(),
    ...bindUseCases(deps, {
      drawPicture,
      showCard,
      loadPicture,
    }),
    stop: drawer.stop,
  }
}
