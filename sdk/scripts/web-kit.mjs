/**
 * Builds the kit of screens for tests of components, and the tests of the kit itself, into `dist/web-kit`: one copy of the kit,
 * which the tests of all packages import as `@agent-service/sdk/web`.
 */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import solid from 'vite-plugin-solid'
import { isOfRunner, listWebTests, testConfiguration, testInputs } from '../dist/build/web/web-test-configuration.js'

const sdk = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')
const web = path.join(sdk, 'web')

const entries = readdirSync(web).filter((file) => file.endsWith('.ts'))
const entryInputs = Object.fromEntries(entries.map((file) => [file.slice(0, -3), path.join(web, file)]))

/** The kit of other packages is this one; of the rest of the SDK there is one copy, which Node finds. */
const isExternal = (specifier) =>
  isOfRunner(specifier) || (/^@agent-service\/sdk(\/|$)/.test(specifier) && specifier !== '@agent-service/sdk/web/dom')

const configuration = testConfiguration({
  root: web,
  outDir: path.join(sdk, 'dist/web-kit'),
  inputs: {
    ...entryInputs,
    solid: path.join(web, 'core/solid.ts'),
    'testing/page': path.join(web, 'testing/page.ts'),
    ...testInputs(sdk, await listWebTests(sdk)),
  },
  solid,
  isExternal,
  partNames: 'parts/[name]-[hash].js',
})

await build({ ...configuration, resolve: { alias: { '@agent-service/sdk/web/dom': path.join(web, 'core/dom.ts') } } })
