import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind()],
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
      // A misplaced annotation in a dependency, which we cannot fix here.
      onwarn: (warning, warn) => warning.code !== 'INVALID_ANNOTATION' && warn(warning),
    },
  },
})
