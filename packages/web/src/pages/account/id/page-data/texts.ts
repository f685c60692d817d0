import { messages } from '../../../../language.ts'

/** The public page of an id. */
export const texts = messages({
  en: {
    title: 'Your page',
    text: 'Visitors of your emoji id see this page.',
    name: 'Name',
    nameHint: (most: number) => `Up to ${most} characters are shown.`,
    about: 'About you',
    links: 'Links',
    noLinks: 'No links yet.',
    link: (nth: number) => `Link ${nth}`,
    linkName: 'Link text',
    linkUrl: 'URL',
    addLink: 'Add a link',
    removeLink: 'Remove',
    save: 'Save the page',
    saved: 'Your page is saved.',
    preview: 'Preview',
    previewText: 'How your page will look.',
    empty: 'Nothing to show yet.',
    redirect: (url: string) =>
      `This page is hidden because your emoji id redirects to ${url}. Remove the redirect under “Addresses” to show it.`,
    locked: 'This section is locked. Contact support to unlock it.',
    changed:
      'The page was changed elsewhere since you opened it. Save again to overwrite it, or load the latest version.',
    takeTheirs: 'Load the latest',
    noUrl: 'Enter a URL, or remove the link.',
  },
})

export const avatarTexts = messages({
  en: {
    legend: 'Your picture',
    hint: 'We crop it to a square and make it small. It is public.',
    choose: 'Choose a picture',
    replace: 'Choose another picture',
    remove: 'Remove it',
    alt: 'Your picture',
    unreadable: 'This file can’t be used as a picture. Choose a JPEG, PNG or WebP under 20 MB.',
  },
})

export const pictureTexts = messages({
  en: {
    title: 'Pictures',
    text: 'Your emoji id as a picture and an animation, to share anywhere.',
    noVideo:
      'There is no video: it needs ffmpeg on the server. Ask the operator to install it, then create the pictures again.',
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
    own: 'Original',
    custom: 'Custom colour',
    colour: 'Colour',
    draw: 'Create pictures',
    drawAgain: 'Create again',
    drawing: 'Your pictures are being created. This takes about a minute; you can leave the page.',
    slow: 'This takes longer than usual. You can leave the page and come back later.',
    drawn: 'Your pictures are ready.',
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
