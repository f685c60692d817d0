// Types of run-folder.mjs for the tests.
export function newRunFolder(parent: string): string
export const memoryFolder: string
