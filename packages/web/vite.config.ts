import tailwind from '@tailwindcss/vite'
import { defineConfig } from 'vite'

const ignoredWarnings = new Set(['INVALID_ANNOTATION', 'MODULE_LEVEL_DIRECTIVE'])

export default defineConfig({
  root: import.meta.dirname,
  plugins: [tailwind()],
  esbuild: { jsx: 'automatic' },
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
    rollupOptions: {
      // Smaller scripts become part of one that every user of theirs loads anyway.
      output: { experimentalMinChunkSize: 1_000 },
      // Annotations in dependencies, which we cannot fix here.
      onwarn: (warning, warn) => !ignoredWarnings.has(warning.code ?? '') && warn(warning),
    },
  },
})
