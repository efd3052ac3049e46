import { strict as assert } from 'node:assert'
import { checkConsolePanel } from '../../contracts/console-panel/check-console-panel.js'
import { panelRoutes } from '../../contracts/console-panel/check-panel-paths.js'
import type { ConsolePanel } from '../../contracts/console-panel/index.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { checkFiles } from './check-files.js'
import { checkScreen } from './check-screen.js'
import { undeclaredAnswers, wrongBodies, wrongMembers } from './data-agreement.js'
import { routeOf } from './match-route.js'
import { ambiguousNames, foreignPaths, tooMuchDeleted, unconfirmed, unnamedFields, unreadableTexts } from './page-rules.js'
import { textsIn } from './panel-texts.js'
import { closedRoutes, unseenValues, wrongQueries } from './route-rules.js'
import type { ConsolePanelSuiteOptions } from './suite-options.js'

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
export function describeConsolePanel(options: ConsolePanelSuiteOptions): void {
  const { name, create, routes = [], runner = globalSuiteRunner() } = options
  runner.describe(`console panel ${name}`, () => {
    const unchecked = collectUncheckedRules(runner, `console panel ${name}`)
    runner.it(soundTitle, async () => assertSound(checkConsolePanel(await create())))
    runner.it('is plain data', async () => {
      const panel = await create()
      assert.deepEqual(JSON.parse(JSON.stringify(panel)), panel)
    })
    describeTexts(create, runner)
    runner.it('calls routes that its plugin has', async () => {
      const missing = panelRoutes(await create()).filter((called) => !routeOf(routes, called))
      assert.deepEqual(
        missing.map(({ pointer, method, path }) => `${pointer}: ${method} ${path}`),
        [],
      )
    })
    each('calls no route of another plugin', (panel) => foreignPaths(panel))
    each('shows what the answers of its routes have', (panel) => {
      for (const path of undeclaredAnswers(panel, routes))
        unchecked.without(`the schema of the answer of GET ${path}`, 'the answer has what the panel shows of it')
      return wrongMembers(panel, routes)
    })
    each('sends what its routes take, and fills every field that it saves', (panel) => wrongBodies(panel, routes))
    each('calls no route that the people who see it may not call, or that takes a query that it does not send', (panel) => [
      ...closedRoutes(panel, routes),
      ...wrongQueries(panel, routes),
    ])
    each('shows what is stored before a form replaces it', (panel) => unseenValues(panel, routes))
    each('asks before it deletes something', (panel) => unconfirmed(panel))
    each('deletes its row alone by an action of a row', (panel) => tooMuchDeleted(panel))
    runner.it('has files that a frame can run: one module that makes the element, without imports', async () => {
      const { content } = await create()
      if (content.kind !== 'component') return
      if (options.routes === undefined) unchecked.without('routes', 'the component calls routes that its plugin has')
      await checkFiles(content, options.routes)
    })
    runner.it('has a built screen: its files with all that they import, a component, and what it starts', async () => {
      const { content } = await create()
      if (content.kind === 'screen') await checkScreen(content)
    })
  })

  function each(title: string, problemsOf: (panel: ConsolePanel) => readonly string[]): void {
    eachPanel(create, runner, { title, problemsOf })
  }
}

function describeTexts(create: ConsolePanelSuiteOptions['create'], runner: SuiteRunner): void {
  runner.it('has each text in the same languages', async () => {
    const texts = textsIn(await create())
    const languagesOf = (text: object): string => Object.keys(text).sort().join(', ')
    const [first] = texts
    const others = texts.filter(({ text }) => languagesOf(text) !== languagesOf(first?.text ?? {})).map(({ pointer }) => pointer)
    assert.deepEqual(others, [], `these have other languages than ${first?.pointer} (${languagesOf(first?.text ?? {})})`)
  })
  eachPanel(create, runner, { title: 'has texts that a person can read, without markup', problemsOf: unreadableTexts })
  eachPanel(create, runner, { title: 'has a name for each field of a form', problemsOf: unnamedFields })
  eachPanel(create, runner, { title: 'has no name for two things of one place', problemsOf: ambiguousNames })
}

/** A test that a panel has none of these problems. */
function eachPanel(
  create: ConsolePanelSuiteOptions['create'],
  runner: SuiteRunner,
  { title, problemsOf }: { readonly title: string; readonly problemsOf: (panel: ConsolePanel) => readonly string[] },
): void {
  runner.it(title, async () => {
    const panel = await create()
    // What is not well-formed is reported by the first test alone.
    if (checkConsolePanel(panel).length === 0) assert.deepEqual(problemsOf(panel), [])
  })
}
