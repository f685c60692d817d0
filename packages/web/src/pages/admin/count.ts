export const count = (number: number, one: string) =>
  `${number.toLocaleString('en')} ${one}${number === 1 ? '' : one.endsWith('x') ? 'es' : 's'}`
