import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin, type UserConfig } from 'vite'

// the page is always the one that ships, also when a test or a shell has set another mode
process.env['NODE_ENV'] = 'production'

/** `vite build` makes the window's page; `vite build --mode preload` makes the one file that runs before it. */
export default defineConfig(({ mode }) => (mode === 'preload' ? preload : page))

const fromRoot = (path: string) => join(import.meta.dirname, path)

const page: UserConfig = {
  root: fromRoot('renderer'),
  base: './',
  plugins: [react(), classicScript()],
  build: {
    outDir: fromRoot('dist/renderer'),
    emptyOutDir: true,
    target: 'chrome146',
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2_000,
    // a style sheet inlined into the script would be refused by the page's content security policy
    cssCodeSplit: false,
    rolldownOptions: { output: { format: 'iife', codeSplitting: false } },
  },
}

const preload: UserConfig = {
  root: fromRoot('electron'),
  // a sandboxed preload must be one CommonJS file
  build: {
    outDir: fromRoot('dist/electron'),
    emptyOutDir: false,
    target: 'chrome146',
    lib: { entry: fromRoot('electron/preload.ts'), formats: ['cjs'], fileName: () => 'preload.cjs' },
    rolldownOptions: { external: ['electron'], output: { codeSplitting: false } },
  },
}

/** Chromium refuses ES modules from file: pages, so the page loads one classic script instead. */
function classicScript(): Plugin {
  return {
    name: 'parley:classic-script',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler: (html) =>
        html.replaceAll('<script type="module" crossorigin', '<script defer').replaceAll(' crossorigin', ''),
    },
  }
}
