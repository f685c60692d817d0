type Size = { width: number; height: number }

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array): DataView =>
  new DataView(buffer, byteOffset, byteLength)

const textAt = (bytes: Uint8Array, from: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(from, from + length))

/** The size that the header of a PNG, WebP or JPEG names; undefined if there is none. */
export function readPictureSize(bytes: Uint8Array): Size | undefined {
  try {
    if (textAt(bytes, 1, 3) === 'PNG') return readPng(bytes)
    return textAt(bytes, 0, 4) === 'RIFF' ? readWebp(bytes) : readJpeg(bytes)
  } catch (error) {
    // The bytes end within the header.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function readPng(bytes: Uint8Array): Size | undefined {
  if (textAt(bytes, 12, 4) !== 'IHDR') return undefined
  const view = viewOf(bytes)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function readWebp(bytes: Uint8Array): Size | undefined {
  if (textAt(bytes, 8, 4) !== 'WEBP') return undefined
  const view = viewOf(bytes)
  const kind = textAt(bytes, 12, 4)
  if (kind === 'VP8 ')
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return undefined
  // 24 bits each, together with the byte before.
  return {
    width: (view.getUint32(23, true) >>> 8) + 1,
    height: (view.getUint32(26, true) >>> 8) + 1,
  }
}

/** The largest size of all frame headers before the picture itself, because decoders differ. */
function readJpeg(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes)
  let size: Size | undefined
  for (let place = 2; view.getUint8(place) === 0xff; place += 2 + view.getUint16(place + 2)) {
    const marker = view.getUint8(place + 1)
    const isScan = marker === 0xda
    if (isScan) return size
    // C4, C8 and CC are tables.
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (!isFrame) continue
    const height = Math.max(size?.height ?? 0, view.getUint16(place + 5))
    size = { height, width: Math.max(size?.width ?? 0, view.getUint16(place + 7)) }
  }
  return undefined
}
