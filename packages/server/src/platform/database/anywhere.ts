/** For `like`: what has the text anywhere, whatever its characters mean to `like`. */
export const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
