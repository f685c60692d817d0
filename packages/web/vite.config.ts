import { join } from 'node:path'
import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const ignoredWarnings = new Set(['INVALID_ANNOTATION', 'MODULE_LEVEL_DIRECTIVE'])

/** One script for what every page needs: otherwise each combination of pages splits it further. */
const ofEveryPage = { name: 'app', tags: ['$initial' as const], priority: 3 }

type Modules = { getModuleInfo(id: string): { importedIds: readonly string[] } | null }

/** Two scripts for what many pages need: the sign-in, which a visitor opens first, needs only one. */
const ofManyPages = {
  debugName: 'many pages',
  name: (id: string, modules: Modules) =>
    findSignInModules(modules).has(id) ? 'many-pages' : 'signed-in-pages',
  minShareCount: 16,
  priority: 2,
}
let signInModules: Set<string> | undefined

function findSignInModules(modules: Modules): Set<string> {
  if (signInModules) return signInModules
  signInModules = new Set([join(import.meta.dirname, 'src/pages/sign-in/page.tsx')])
  // The set grows while it is walked.
  for (const id of signInModules)
    for (const imported of modules.getModuleInfo(id)?.importedIds ?? []) signInModules.add(imported)
  return signInModules
}

/** Smaller scripts become part of one that most users of theirs load anyway. */
const ofSeveralPages = {
  name: 'shared',
  minShareCount: 2,
  entriesAware: true,
  entriesAwareMergeThreshold: 1_000,
  priority: 1,
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwind()],
  // The core from its sources, so that only what is used comes along.
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsDir: 'assets',
    // Pages run under a policy without inline scripts.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // Names the files that the server announces ahead of a view.
    manifest: 'manifest.json',
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [ofEveryPage, ofManyPages, ofSeveralPages],
          // Otherwise a group takes what its modules import from the groups of other pages.
          includeDependenciesRecursively: false,
        },
        // Otherwise a shared script is named after all its pages.
        chunkFileNames: ({ name }) => `assets/${name.replace(/~.*/, '')}-[hash].js`,
      },
      // Annotations in dependencies, which we cannot fix here.
      onwarn: (warning, warn) => !ignoredWarnings.has(warning.code ?? '') && warn(warning),
    },
  },
})
