import { strict as assert } from 'node:assert'
import { checkTool } from '../../contracts/tool/check-tool.js'
import type { Tool, ToolScope } from '../../contracts/tool/tool.js'
import type { Problem } from '../../core/errors.js'
import { validate } from '../../core/validate.js'
import { boundMembers } from '../bound-members.js'
import { globalSuiteRunner, type SuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules, type UncheckedRules } from '../unchecked-rules.js'
import { describeCalls, describeProbe } from './calls.js'
import { describeDiscretion } from './discretion.js'
import { describeEffects } from './effects.js'
import { describeFiles } from './files.js'
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
 *     return { tool: createAddToList(list), state: () => list, restarted: () => createAddToList(list) }
 *   },
 *   examples: [{ title: 'milk', input: { text: 'Milk' }, after: ['Milk'], again: ['Milk', 'Milk'] }],
 *   secrets: [],
 *   stranger: 'not applicable',
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
      describeFiles(suite, example)
      describeEffects(suite, example)
      describeDiscretion(suite, example)
    }
    describeProbe(suite)
  })
}

function createSuite(options: ToolSuiteOptions, runner: SuiteRunner): ToolSuite {
  const given = new WeakMap<Tool, Omit<ToolWithState, 'tool'>>()
  const unchecked = collectUncheckedRules(runner, `tool ${options.name}`)
  if (options.secrets === undefined) unchecked.without('secrets', 'what a call says has no secret')
  if (options.stranger === undefined) unchecked.without('stranger', 'another user reads and changes nothing of what belongs to the user')
  return {
    options,
    runner,
    unchecked,
    create() {
      const made = options.create()
      if (!('tool' in made)) return made
      given.set(made.tool, boundMembers(made))
      noteAbsent(made, options, unchecked)
      return made.tool
    },
    hasState: (tool) => typeof given.get(tool)?.state === 'function',
    async stateOf(tool) {
      const state = given.get(tool)?.state
      return typeof state === 'function' ? structuredClone(await state()) : undefined
    },
    restartedOf(tool) {
      const restarted = given.get(tool)?.restarted
      return typeof restarted === 'function' ? restarted() : undefined
    },
    async filesOf(tool) {
      const files = given.get(tool)?.files
      return typeof files === 'function' ? [...(await files())] : undefined
    },
    isAboutState: (tool) => given.has(tool),
  }
}

/** Remembers what nothing checks of a tool whose state the suite can see. */
function noteAbsent({ tool, state, restarted }: ToolWithState, { examples }: ToolSuiteOptions, unchecked: UncheckedRules): void {
  const { effect = 'unsafe' } = tool
  if (state === 'not applicable' || effect === 'read') return
  const working = examples.filter(({ isError }) => isError !== true)
  if (working.some(({ after }) => after === undefined)) unchecked.without('after', 'a call changes what it should, and nothing else')
  if (working.some(({ again }) => again === undefined)) unchecked.without('again', 'another call with the same input has its own effect')
  if (effect !== 'unsafe' && restarted === undefined)
    unchecked.without('restarted', 'a call that is repeated, or asked about, after a restart has its effect once')
}

function describeDeclaration({ create, runner, options: { examples } }: ToolSuite): void {
  const groups = {
    'has specVersion 1 and a name that models can call': ['/specVersion', '/name'],
    'has a title for people and a description for models': ['/title', '/description'],
    'has words for each call that fits its parameters': ['/display'],
    'has parameters that can be read as plain JSON and are closed': ['/parameters'],
    'states a known effect and a sensible time limit': ['/effect', '/timeoutMs'],
    'says plainly whether it reads the workspace': ['/readsWorkspace'],
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
  runner.it('has one label for each kind of calls', () => {
    const labels = new Map<string, string>()
    for (const { input } of examples)
      for (const { key, label } of listOf(create().scopes?.(structuredClone(input)))) {
        const words = label.toLowerCase().replace(/\s+/g, ' ').trim()
        assert.equal(
          words,
          labels.get(key) ?? words,
          `the kinds with the key ${key} have different labels: one would be allowed as the other`,
        )
        labels.set(key, words)
      }
  })
  runner.it('has examples that its parameters accept', () => {
    assert.ok(examples.length > 0, 'examples is empty')
    for (const { input } of examples) assert.deepEqual(validate(create().parameters, input), [])
  })
}

/** The kinds that are well-formed; another rule names the others. */
const listOf = (scopes: unknown): readonly ToolScope[] =>
  Array.isArray(scopes) ? scopes.filter((scope) => typeof scope?.key === 'string' && typeof scope.label === 'string') : []

/** The host's problems with these members. */
const problemsAt = (tool: Tool, places: readonly string[]): readonly string[] =>
  checkTool(tool)
    .filter(({ path }) => places.some((place) => path === place || path.startsWith(`${place}/`)))
    .map(wordsOf)

const wordsOf = ({ path, message }: Problem): string => `${path} ${message}`
