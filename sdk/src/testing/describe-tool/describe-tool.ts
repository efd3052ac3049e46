import { strict as assert } from 'node:assert'
import { checkTool } from '../../contracts/tool/check-tool.js'
import type { Tool } from '../../contracts/tool/tool.js'
import type { Problem } from '../../core/errors.js'
import { validate } from '../../core/validate.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { describeCalls, describeProbe } from './calls.js'
import { describeEffects } from './effects.js'
import type { ToolSuite, ToolSuiteOptions, ToolWithState } from './suite-options.js'
import { describeWords } from './words.js'

/**
 * Tests every rule of the `tool` contract.
 *
 * @example
 * describeTool({
 *   name: 'roll_dice',
 *   create: createTool,
 *   examples: [{ title: 'two dice', input: { count: 2 } }],
 * })
 *
 * @example
 * describeTool({
 *   name: 'add_to_list',
 *   create() {
 *     const list: string[] = []
 *     return { tool: createAddToList(list), state: () => list }
 *   },
 *   examples: [{ title: 'milk', input: { text: 'Milk' } }],
 * })
 */
export function describeTool(options: ToolSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`tool ${options.name}`, () => {
    const suite = createSuite(options, runner)
    describeDeclaration(suite)
    for (const example of options.examples) {
      describeWords(suite, example)
      describeCalls(suite, example)
      describeEffects(suite, example)
    }
    describeProbe(suite)
  })
}

function createSuite(options: ToolSuiteOptions, runner: SuiteRunner): ToolSuite {
  const states = new WeakMap<Tool, ToolWithState['state']>()
  return {
    options,
    runner,
    unchecked: collectUncheckedRules(runner, `tool ${options.name}`),
    create() {
      const made = options.create()
      if (!('tool' in made)) return made
      states.set(made.tool, () => made.state())
      return made.tool
    },
    hasState: (tool) => states.has(tool),
    stateOf: async (tool) => states.get(tool)?.(),
  }
}

function describeDeclaration({ create, runner, options: { examples } }: ToolSuite): void {
  const groups = {
    'has specVersion 1 and a name that models can call': ['/specVersion', '/name'],
    'has a title for people and a description for models': ['/title', '/description'],
    'has parameters that can be read as plain JSON and are closed': ['/parameters'],
    'states a known effect and a sensible time limit': ['/effect', '/timeoutMs'],
    'has probe exactly when it supports it, and always when it is checkable': ['/probe', '/supports'],
  }
  for (const [title, places] of Object.entries(groups)) runner.it(title, () => assert.deepEqual(problemsAt(create(), places), []))
  runner.it('has the members that a host accepts and no others', () => {
    const named = new Set(Object.values(groups).flatMap((places) => problemsAt(create(), places)))
    assert.deepEqual(
      checkTool(create())
        .map(wordsOf)
        .filter((problem) => !named.has(problem)),
      [],
    )
  })
  runner.it('decides synchronously which agents may have it', () => {
    for (const enabled of [true, false])
      for (const run of [{}, { reportsTo: null }, { reportsTo: { kind: 'tests.run', id: '1' } }]) {
        const agent = { id: 'agent-1', handle: 'assistant', userId: 'user-1', memory: { enabled }, ...run }
        const given = structuredClone(agent)
        const tool = create()
        const verdict: unknown = tool.offered?.(given) ?? true
        assert.equal(typeof verdict, 'boolean', 'offered must return true or false, not a promise')
        assert.deepEqual(given, agent, 'offered changed the agent')
        assert.equal(tool.offered?.(given) ?? true, verdict, 'offered answers differently when it is asked again')
      }
  })
  runner.it('has examples that its parameters accept', () => {
    assert.ok(examples.length > 0, 'examples is empty')
    for (const { input } of examples) assert.deepEqual(validate(create().parameters, input), [])
  })
}

/** The host's problems with these members. */
const problemsAt = (tool: Tool, places: readonly string[]): readonly string[] =>
  checkTool(tool)
    .filter(({ path }) => places.some((place) => path === place || path.startsWith(`${place}/`)))
    .map(wordsOf)

const wordsOf = ({ path, message }: Problem): string => `${path} ${message}`
