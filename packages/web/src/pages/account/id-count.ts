export const idCount = (count: number) => (count === 1 ? 'one emoji id' : `${count} emoji ids`)
