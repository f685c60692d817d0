export const count = (many: number, one: string, more: string) =>
  many === 1 ? `one ${one}` : `${many} ${more}`
