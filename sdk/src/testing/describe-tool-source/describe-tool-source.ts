import { strict as assert } from 'node:assert'
import { checkToolSource } from '../../contracts/tool-source/check-tool-source.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { describeCall, describeCallBeside, describeOddCalls } from './calls.js'
import { describeChanges } from './changes.js'
import { describeChangingTools, describeEffects } from './effects.js'
import { describeList } from './lists.js'
import { openSuite, type ToolSourceSuite } from './source-bench.js'
import type { ToolSourceSuiteOptions } from './suite-options.js'

/**
 * Tests every rule of the `tool.source` contract.
 *
 * @example
 * describeToolSource({
 *   name: 'greetings',
 *   create: () => ({ source: createSource(), state: 'not applicable', held: 'not applicable' }),
 *   examples: [{ title: 'in French', tool: 'greet_in_french', input: { name: 'Ada' } }],
 *   stranger: 'not applicable',
 *   secrets: [],
 * })
 */
export function describeToolSource(options: ToolSourceSuiteOptions): void {
  const { runner = globalSuiteRunner(), name, examples, stranger, secrets } = options
  runner.describe(`tool source ${name}`, () => {
    const unchecked = collectUncheckedRules(runner, `tool source ${name}`)
    if (stranger === undefined) unchecked.without('stranger', 'another user neither sees nor calls the tools of the owner')
    if (secrets === undefined) unchecked.without('secrets', 'no list and no result has a secret')
    const suite = openSuite({ ...options, runner }, unchecked)
    describeDeclaration(suite)
    describeList(suite)
    describeChanges(suite)
    for (const example of examples) {
      describeCall(suite, example)
      describeCallBeside(suite, example)
      describeEffects(suite, example)
    }
    describeChangingTools(suite)
    describeOddCalls(suite)
  })
}

function describeDeclaration({ runner, using, listOf, examples }: ToolSourceSuite): void {
  runner.it(soundTitle, () => using(async ({ source }) => assertSound(checkToolSource(source))))
  runner.it('has probe with a checkable tool', () =>
    using(async (under) => {
      const checkable = (await listOf(under)).filter(({ effect }) => effect === 'checkable')
      assert.ok(checkable.length === 0 || under.source.supports.probe, 'a source with a checkable tool must have probe')
    }),
  )
  runner.it('has examples of its tools', () =>
    using(async (under) => {
      const names = new Set((await listOf(under)).map(({ name }) => name))
      assert.ok(examples.length > 0, 'examples is empty')
      for (const { tool } of examples) assert.ok(names.has(tool), `“${tool}” is not in the list`)
    }),
  )
}
