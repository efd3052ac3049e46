import { strict as assert } from 'node:assert'
import { readFile } from 'node:fs/promises'
import { checkConsolePanel } from '../../contracts/console-panel/check-console-panel.js'
import { type PanelRoute, panelRoutes } from '../../contracts/console-panel/check-panel-paths.js'
import type { ConsolePanel, PanelComponent } from '../../contracts/console-panel/index.js'
import type { HttpRoute } from '../../contracts/http-route/index.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { textsIn } from './panel-texts.js'

/** The options of {@link describeConsolePanel}. */
export interface ConsolePanelSuiteOptions {
  /** Part of the titles. */
  readonly name: string
  /** Makes the panel. Called for each test. */
  create(): ConsolePanel | Promise<ConsolePanel>
  /** The routes of the plugin, which the panel calls. Default: none. */
  readonly routes?: readonly Pick<HttpRoute, 'method' | 'path' | 'answers'>[]
  /** Default: the test framework in the global scope. */
  readonly runner?: SuiteRunner
}

const maxModuleBytes = 512 * 1024
const maxStylesBytes = 128 * 1024

/**
 * Tests every rule of the `console.panel` contract.
 *
 * @example
 * describeConsolePanel({
 *   name: 'dice',
 *   create: () =>
 *     defineConsolePanel({
 *       id: 'tool-dice',
 *       title: { en: 'Dice' },
 *       group: 'main',
 *       content: { kind: 'sections', sections: [{ kind: 'text', text: { en: 'Six of them.' } }] },
 *     }),
 * })
 */
export function describeConsolePanel({ name, create, routes = [], runner = globalSuiteRunner() }: ConsolePanelSuiteOptions): void {
  runner.describe(`console panel ${name}`, () => {
    runner.it(soundTitle, async () => assertSound(checkConsolePanel(await create())))
    runner.it('is plain data', async () => {
      const panel = await create()
      assert.deepEqual(JSON.parse(JSON.stringify(panel)), panel)
    })
    runner.it('has each text in the same languages', async () => {
      const texts = textsIn(await create())
      const languagesOf = (text: object): string => Object.keys(text).sort().join(', ')
      const [first] = texts
      const others = texts.filter(({ text }) => languagesOf(text) !== languagesOf(first?.text ?? {})).map(({ pointer }) => pointer)
      assert.deepEqual(others, [], `these have other languages than ${first?.pointer} (${languagesOf(first?.text ?? {})})`)
    })
    runner.it('calls routes that its plugin has', async () => {
      const missing = panelRoutes(await create()).filter((called) => !routes.some((route) => matches(route, called)))
      assert.deepEqual(
        missing.map(({ pointer, method, path }) => `${pointer}: ${method} ${path}`),
        [],
      )
    })
    runner.it('has files that a frame can run: one module that makes the element, without imports', async () => {
      const { content } = await create()
      if (content.kind === 'component') await checkFiles(content)
    })
  })
}

/** Segments agree, and each `{…}` of the route has a `{…}` or a value. */
function matches(route: Pick<HttpRoute, 'method' | 'path'>, called: PanelRoute): boolean {
  const wanted = called.path.split('/')
  const segments = route.path.split('/')
  const fits = segments.every((segment, index) => (segment.startsWith('{') ? wanted[index] !== '' : segment === wanted[index]))
  return route.method === called.method && segments.length === wanted.length && fits
}

async function checkFiles({ element, module, styles }: PanelComponent): Promise<void> {
  const text = await readFile(module, 'utf8')
  assert.ok(Buffer.byteLength(text) <= maxModuleBytes, `the module has more than ${maxModuleBytes} bytes`)
  assert.ok(text.includes('customElements.define') && text.includes(element), `the module does not define <${element}>`)
  assert.doesNotMatch(text, /^\s*(import\b(?!\.meta)|export\b[^;]*\bfrom\b)/m, 'the module imports, which the frame cannot')
  if (styles !== undefined) {
    const size = (await readFile(styles)).byteLength
    assert.ok(size <= maxStylesBytes, `the styles have more than ${maxStylesBytes} bytes`)
  }
}
