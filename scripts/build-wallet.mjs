// Bundles the demonstration wallet of /dev/wallet with the SDK, as the bundler of a wallet does.
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './install.mjs'

await build({
  configFile: false,
  root: join(root, 'packages/server/browser'),
  logLevel: 'error',
  resolve: { conditions: ['source', 'module', 'browser', 'production'] },
  build: {
    outDir: join(root, 'packages/server/dist/browser'),
    emptyOutDir: true,
    target: 'es2022',
    lib: {
      entry: join(root, 'packages/server/browser/wallet/main.js'),
      formats: ['es'],
      fileName: () => 'wallet.js',
    },
  },
})
