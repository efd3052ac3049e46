import { globalSuiteRunner } from '../suite-runner.js'
import { createSuiteTopic } from './support/suite-call.js'
import type { ProviderAdapterSuiteOptions } from './support/suite-options.js'
import { describeAnswers } from './topics/answers.js'
import { describeCarrying } from './topics/carrying.js'
import { describeConversations } from './topics/conversations.js'
import { describeDeclaration } from './topics/declaration.js'
import { describeDeclaredFields } from './topics/declared-fields.js'
import { describeEmbedding } from './topics/embedding.js'
import { describeEnding } from './topics/ending.js'
import { describeFailures } from './topics/failures.js'
import { describeOfferedModels } from './topics/offered-models.js'
import { describeToolCalls } from './topics/tool-calls.js'

/**
 * Tests every rule of the `provider.adapter` contract. The adapter's author passes an
 * upstream that plays scenarios in the adapter's wire protocol, usually a local server. What reaches
 * an upstream with a URL is seen by a proxy of the suite before it. After its tests the suite notes
 * what it could not see.
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
  const runner = options.runner ?? globalSuiteRunner()
  runner.describe(`provider adapter ${options.name}`, () => {
    const topic = createSuiteTopic(options, runner)
    describeDeclaration(topic)
    describeAnswers(topic)
    describeToolCalls(topic)
    describeCarrying(topic)
    describeConversations(topic)
    describeDeclaredFields(topic)
    describeFailures(topic)
    describeEnding(topic)
    describeEmbedding(topic)
    describeOfferedModels(topic)
  })
}
