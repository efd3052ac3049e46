import { homedir } from 'node:os'
import { definePlugin } from '@agent-service/sdk'
import { providerAdapters } from '@agent-service/sdk/contracts/provider-adapter'
import { createModelClient } from '@agent-service/sdk/provider-kit'
import { clockService } from '@agent-service/sdk/services/clock'
import { type Secrets, secretsService } from '@agent-service/sdk/services/secrets'
import { createBedrockAdapter } from './adapter.js'
import type { ReadVariable } from './common/aws-credentials.js'
import { createAwsAccess } from './credentials/aws-access.js'
import { converseSettings } from './typed-settings.js'

/** Amazon Bedrock's Converse protocol: the family `adapter_delta`. */
export default definePlugin({
  manifest: {
    id: 'provider-bedrock',
    apiVersion: 1,
    description: "Calls models through Amazon Bedrock's Converse protocol (adapter_delta).",
    contributes: ['provider.adapter'],
    extends: [{ section: 'models', place: 'settings', variant: 'amazon-bedrock-converse', schema: converseSettings }],
    permissions: [
      {
        kind: 'network',
        targets: ['*.amazonaws.com', '*.amazonaws.com.cn', '169.254.169.254', '169.254.170.2'],
        targetsFromConfiguration: ['/providers'],
        reason: 'Sends conversations to the configured model endpoints, and requests the credentials to sign them from AWS.',
      },
      { kind: 'environment', reason: 'Reads the standard variables of AWS, such as AWS_REGION and AWS_ACCESS_KEY_ID.' },
      { kind: 'files', targets: ['~/.aws'], reason: 'Reads the profiles of AWS tools, and the token of a sign-in.' },
      { kind: 'process', reason: 'Runs the credential_process of an AWS profile, if one is configured.' },
    ],
  },
  setup(context) {
    const client = createModelClient()
    context.onDispose(() => client.close())
    const secrets = context.use(secretsService)
    const clock = context.use(clockService, { optional: true })
    const now = (): number => clock?.now() ?? Date.now()
    const aws = createAwsAccess({
      readVariable: variablesOf(secrets),
      now,
      homeFolder: homedir(),
      signal: context.signal,
      protect: (secret) => secrets.protect(secret),
    })
    context.contribute(providerAdapters, createBedrockAdapter({ client, aws, now }))
    // The first call is near.
    client.load().catch((error: unknown) => context.log.warn('The HTTP client could not be loaded.', { error }))
  },
})

/** Variables through the secrets service. A blank one counts as not set. */
const variablesOf =
  (secrets: Secrets): ReadVariable =>
  (name) => {
    const resolved = secrets.resolve(`\${${name}}`)
    return 'value' in resolved && resolved.value.trim() !== '' ? resolved.value.trim() : undefined
  }
