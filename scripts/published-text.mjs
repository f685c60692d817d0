/** Links that lead out of a package lead nowhere once it is published: their words stay. */
export const withoutLinksOut = (text) => text.replace(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')
