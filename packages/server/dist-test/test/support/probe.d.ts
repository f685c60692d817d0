import type { Container } from '../../src/container.ts'
/** Routes that show what the HTTP shell does, whatever features exist. */
export declare const withProbes: (container: Container) => Container
