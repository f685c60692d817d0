/** Replaces links that leave the package by their text: they are dead in a published package. */
export const withoutLinksOut = (text) => text.replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
