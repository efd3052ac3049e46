import { checkPolicyEngine } from '../../contracts/policy-engine/check-policy-engine.js'
import { assertSound, soundTitle } from '../assert-sound.js'
import { globalSuiteRunner } from '../suite-runner.js'
import { collectUncheckedRules } from '../unchecked-rules.js'
import { describeCalls } from './calls.js'
import { describeChecks } from './checks.js'
import { describeDecisions } from './decisions.js'
import { describeQuestions } from './questions.js'
import { describeSets } from './sets.js'
import type { PolicyEngineSuiteOptions } from './suite-options.js'

/**
 * Tests every rule of the `policy.engine` contract. After its tests the suite notes what it could not
 * see.
 *
 * @example
 * const question = (id: string): EngineQuestion => ({
 *   principal: { type: 'User', id },
 *   action: 'use_tool',
 *   resource: { type: 'Tool', id: 'search' },
 *   context: {},
 *   entities: [
 *     { type: 'User', id, attributes: {}, parents: [] },
 *     { type: 'Tool', id: 'search', attributes: {}, parents: [] },
 *   ],
 * })
 *
 * const testLineEngine = (createLineEngine: () => PolicyEngine) =>
 *   describePolicyEngine({
 *     name: 'line',
 *     create: createLineEngine,
 *     example: {
 *       files: [{ name: 'reading.line', text: 'permit read_file' }],
 *       questions: [question('ada'), question('eve')],
 *       permit: 'permit use_tool',
 *       forbid: 'forbid use_tool',
 *       permitFirst: 'permit use_tool by ada',
 *       bad: 'allow everything',
 *       permitFile: { name: 'tools.line', text: 'permit use_tool' },
 *       forbidFile: { name: 'closed.line', text: 'forbid use_tool' },
 *     },
 *   })
 */
export function describePolicyEngine(options: PolicyEngineSuiteOptions): void {
  const runner = options.runner ?? globalSuiteRunner()
  const { byAttribute, byParents, byContext, failing } = options.example
  runner.describe(`policy engine ${options.name}`, () => {
    const unchecked = collectUncheckedRules(runner, `policy engine ${options.name}`)
    if (!byAttribute) unchecked.without('byAttribute', 'a decision depends on the attributes of entities as they are now')
    if (!byParents) unchecked.without('byParents', 'a decision depends on what entities belong to')
    if (!byContext) unchecked.without('byContext', 'a decision depends on the context')
    if (failing === undefined) unchecked.without('failing', 'a policy that fails denies, and its error names it')
    runner.afterEach(() => options.dispose?.())
    runner.it(soundTitle, async () => assertSound(checkPolicyEngine(await options.create())))
    describeDecisions(options, runner)
    describeQuestions(options, runner)
    describeSets(options, runner)
    describeChecks(options, runner)
    describeCalls(options, runner)
  })
}
