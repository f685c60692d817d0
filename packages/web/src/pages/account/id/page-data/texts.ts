import { messages } from '../../../../language.ts'

/** What the page of an id tells about its owner. */
export const texts = messages({
  en: {
    title: 'Your page',
    text: 'Everybody who opens your emoji id sees this.',
    name: 'Name',
    nameHint: 'At most 120 characters are shown.',
    about: 'About you',
    links: 'Links',
    noLinks: 'No links yet.',
    link: (nth: number) => `Link ${nth}`,
    linkName: 'What it is called',
    linkUrl: 'Where it leads',
    addLink: 'Add a link',
    removeLink: 'Remove',
    save: 'Save the page',
    saved: 'Your page is saved.',
    preview: 'Preview',
    previewText: 'As the page will look.',
    empty: 'Nothing to show yet.',
    redirect: (url: string) =>
      `Nobody sees this page now: your emoji id leads to ${url}. Remove the redirect among its addresses to show the page.`,
    locked: 'This part is locked. Ask our support to open it.',
    changed:
      'Somebody else changed the page since you opened it. Save again to put yours in its place, or take theirs.',
    takeTheirs: 'Take theirs',
    noUrl: 'Say where the link leads, or remove it.',
  },
})

export const pictureTexts = messages({
  en: {
    title: 'Pictures',
    text: 'Your emoji id as a picture and an animation, to show wherever you like.',
    ground: 'Background',
    themes: {
      dawn: 'Dawn',
      sand: 'Sand',
      meadow: 'Meadow',
      mint: 'Mint',
      lagoon: 'Lagoon',
      sky: 'Sky',
      lavender: 'Lavender',
      rose: 'Rose',
      night: 'Night',
      coal: 'Coal',
    } as Readonly<Record<string, string>>,
    own: 'As it comes',
    custom: 'Your own colour',
    colour: 'Colour',
    draw: 'Draw the pictures',
    drawAgain: 'Draw them again',
    drawing: 'The pictures are being drawn. This takes a minute or so; you can leave the page.',
    slow: 'This takes longer than usual. You can leave the page and come back later.',
    drawn: 'The pictures are ready.',
    files: 'Files',
    kinds: {
      image: 'Picture (PNG)',
      gif: 'Animation (GIF)',
      video: 'Video (MP4)',
      webm: 'Video (WebM)',
    },
    download: 'Download',
    alt: (names: string) => `Picture of the emoji id ${names}`,
  },
})
