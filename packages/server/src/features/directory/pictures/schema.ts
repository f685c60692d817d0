import { Type } from 'typebox'

export const PictureParams = Type.Object({
  file: Type.String({ description: 'As named under VisualizerFileLocations' }),
})

const Bytes = { schema: Type.String({ format: 'binary' }) }

export const PictureFile = {
  description: 'The file; its content never changes',
  content: { 'image/png': Bytes, 'image/gif': Bytes, 'video/mp4': Bytes, 'video/webm': Bytes },
}
