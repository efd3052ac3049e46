import type { ModelRequest, ProviderAdapter } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { requestTo } from '@agent-service/sdk/testing'
import { createBedrockAdapter } from '../adapter.js'
import { type AwsAccess, createAwsAccess } from '../credentials/aws-access.js'

/** Access to AWS without any configuration: no variables, no files, no instance. */
export function createTestAccess(
  variables: Readonly<Record<string, string>> = {},
  options: { readonly homeFolder?: string; readonly now?: () => number; readonly protect?: (secret: string) => void } = {},
): AwsAccess {
  return createAwsAccess({
    // Read each time: a test may change them.
    readVariable: (name) => ({ AWS_EC2_METADATA_DISABLED: 'true', ...variables })[name],
    now: options.now ?? Date.now,
    homeFolder: options.homeFolder ?? '/nowhere',
    signal: new AbortController().signal,
    protect: options.protect ?? (() => undefined),
  })
}

/** An adapter for the tests of a `describe` block, whose connections are closed after them. */
export function createTestAdapter(aws: AwsAccess = createTestAccess(), now: () => number = Date.now): ProviderAdapter {
  const client = createModelClient()
  after(() => client.close())
  return createBedrockAdapter({ client, aws, now })
}

/** A request to the Converse protocol with a bearer key. */
export const converseRequest = (baseUrl: string, changes: Parameters<typeof requestTo>[1] = {}): ModelRequest =>
  requestTo(baseUrl, { protocol: 'amazon-bedrock-converse', ...changes })
