import { adminFrameTexts, userListTexts } from './admin-frame.ts'

/** Every sentence of the operators' pages. Apart from the others, which everybody loads first. */
export const adminTexts = {
  frame: adminFrameTexts,
  users: userListTexts,
} as const
