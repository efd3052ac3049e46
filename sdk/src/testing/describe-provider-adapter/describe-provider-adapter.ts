import { createSuiteTopic } from './support/suite-call.js'
import type { ProviderAdapterSuiteOptions } from './support/suite-options.js'
import { describeAnswers } from './topics/answers.js'
import { describeCarrying } from './topics/carrying.js'
import { describeDeclaration } from './topics/declaration.js'
import { describeEmbedding } from './topics/embedding.js'
import { describeEnding } from './topics/ending.js'
import { describeFailures } from './topics/failures.js'
import { describeToolCalls } from './topics/tool-calls.js'

/**
 * Every promise of the `provider.adapter` contract as tests. The adapter's author brings an
 * upstream that plays scenarios in the adapter's own wire protocol: a local server, as a rule.
 *
 * @example
 * describeProviderAdapter({
 *   name: 'house',
 *   create: createAdapter,
 *   scenarios: ['text', 'tool-call', 'error'],
 *   upstream: startScriptedServer,
 * })
 */
export function describeProviderAdapter(options: ProviderAdapterSuiteOptions): void {
  const topic = createSuiteTopic(options)
  topic.runner.describe(`provider adapter ${options.name}`, () => {
    describeDeclaration(topic)
    describeAnswers(topic)
    describeToolCalls(topic)
    describeCarrying(topic)
    describeFailures(topic)
    describeEnding(topic)
    describeEmbedding(topic)
  })
}
