import { describe, expect, it } from 'vitest'
import { filesOf, groundOf, isDrawing, withGround } from './pictures.ts'

const entry = (updated_at: string, is_locked = false) => ({ updated_at, is_locked })
const stored = (request: string, picture: string, isLocked = false) => ({
  SvcPageData: entry(''),
  SvcLinkData: entry(''),
  VisualizerData: entry(request),
  VisualizerFileLocations: entry(picture, isLocked),
})

it.each([
  [{ theme: 'night' }, 'night'],
  [{ theme: 'toString' }, ''],
  [{ background: '#ABCDEF', theme: 'night' }, '#abcdef'],
  [{ background: 'url(x)' }, ''],
  [null, ''],
])('the page data form reads the background of %j', (data, ground) => {
  expect(groundOf(data)).toBe(ground)
})

it.each(['night', '#112233', ''])(
  'the page data form writes the background “%s” and keeps other members',
  (ground) => {
    const written = withGround({ theme: 'sky', background: '#000000', mine: 1 }, ground)
    expect(groundOf(written)).toBe(ground)
    expect(written).toMatchObject({ mine: 1 })
  },
)

it('the page data form shows a drawing in progress from the request until the files exist', () => {
  expect(isDrawing(stored('2026-01-02', '2026-01-01'))).toBe(true)
  expect(isDrawing(stored('2026-01-02', '2026-01-03'))).toBe(false)
  expect(isDrawing(stored('2026-01-01', '2026-01-01'))).toBe(false)
  expect(isDrawing(stored('2026-01-02', '2026-01-01', true))).toBe(false)
})

describe('the picture files', () => {
  const api = 'https://api.example'
  const image = `${api}/pictures/${'a'.repeat(64)}.png`

  it('the picture files are those that the directory created', () => {
    expect(filesOf({ image, gif: 7, other: image }, api)).toEqual([{ kind: 'image', url: image }])
  })

  it.each([
    'javascript:alert(1)',
    'https://evil.example/pictures/x.png',
    `${api}/pictures/../account`,
    `${image}?x`,
  ])('exclude %s', (url) => {
    expect(filesOf({ image: url }, api)).toEqual([])
  })
})
