import { type Html, html } from '../../../platform/http/pages/html.ts'

type SharedPage = {
  type: 'profile' | 'website'
  address: string
  title: string
  description: string
  /** An absolute address. */
  picture: string
  pictureText: string
  /** Present if the picture is large enough for a large preview. */
  size: { width: number; height: number } | undefined
}

/** Open Graph tags for link previews. */
export const socialTags = (page: SharedPage): Html => {
  const { type, address, title, description, picture, pictureText, size } = page
  return html`<link rel="canonical" href="${address}">
<meta name="description" content="${description}">
<meta property="og:type" content="${type}">
<meta property="og:site_name" content="Emoji Id Directory">
<meta property="og:url" content="${address}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${picture}">
${size ? html`<meta property="og:image:width" content="${size.width}"><meta property="og:image:height" content="${size.height}">` : ''}
<meta property="og:image:alt" content="${pictureText}">
<meta name="twitter:card" content="${size ? 'summary_large_image' : 'summary'}">
<meta name="twitter:title" content="${title}">
<meta name="twitter:description" content="${description}">
<meta name="twitter:image" content="${picture}">
<meta name="twitter:image:alt" content="${pictureText}">`
}
