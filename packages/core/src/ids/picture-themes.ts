/** Backgrounds of pictures that an owner may choose. */
export const pictureThemes: Readonly<Record<string, string>> = {
  dawn: '#ffcdb2',
  sand: '#f2dfb5',
  meadow: '#c8e6b8',
  mint: '#bfead3',
  lagoon: '#b5e3e8',
  sky: '#bcd7ff',
  lavender: '#d6ccff',
  rose: '#ffc6dc',
  night: '#2f3268',
  coal: '#2b2f38',
}
