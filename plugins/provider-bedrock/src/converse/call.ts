import type { ModelEvent, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { callModel, type ModelClient, type ModelPost } from '@agent-service/sdk/provider-kit'
import type { AwsAccess } from '../credentials/aws-access.js'
import { createFrameStreamReader, eventStreamType } from '../event-stream/frame-stream-reader.js'
import { encodeStrictly } from '../signing/uri-encode.js'
import type { AbilityMemory } from './abilities.js'
import { createAnswerAssembler } from './assemble-answer.js'
import { type Authorizer, createAuthorizer } from './authorize.js'
import { buildRequestBody, wireNamesOf } from './build-request.js'
import { bedrockSigns, readBedrockError } from './failures.js'
import { opaqueVendor } from './opaque-reasoning.js'
import type { ServiceClock } from './service-clock.js'
import { structuredForm } from './structured-answer.js'

/** What calls of the adapter share. */
export interface ConverseMeans {
  readonly client: ModelClient
  readonly aws: AwsAccess
  readonly clock: ServiceClock
  readonly memory: AbilityMemory
}

/**
 * One call of the Converse protocol. Ends the upstream request when the signal is aborted or the
 * iteration is left.
 */
export function callConverse(
  request: ModelRequest,
  { signal, client, aws, clock, memory }: ConverseMeans & { readonly signal: AbortSignal },
): AsyncGenerator<ModelEvent, void, undefined> {
  const authorizer = createAuthorizer(request, { aws, clock, signal })
  return callModel(request, {
    signal,
    client,
    prepare: (callSignal) => prepare(request, { authorizer, memory, signal: callSignal }),
    createAssembler() {
      const structured = structuredForm(request, memory.has(request, 'outputConfig'))
      const names = wireNamesOf(request, structured)
      return createAnswerAssembler({
        vendor: opaqueVendor(request.connection.brand, request.model),
        request,
        names,
        answerTool: structured?.kind === 'tool' ? names.wire(structured.name) : undefined,
      })
    },
    streams: { [eventStreamType]: createFrameStreamReader },
    mend: async (refusal) => memory.learn(request, refusal) || (await authorizer.mend(refusal)),
    readError: readBedrockError,
    signs: bedrockSigns,
    secrets: () => authorizer.secrets(),
  })
}

async function prepare(
  request: ModelRequest,
  { authorizer, memory, signal }: { readonly authorizer: Authorizer; readonly memory: AbilityMemory; readonly signal: AbortSignal },
): Promise<ModelPost> {
  // The model is one segment of the path, even if its id is an ARN with slashes.
  const url = await authorizer.url(`/model/${encodeStrictly(request.model)}/${request.stream ? 'converse-stream' : 'converse'}`)
  const body = JSON.stringify(
    buildRequestBody(request, {
      structured: structuredForm(request, memory.has(request, 'outputConfig')),
      cachePoints: memory.has(request, 'cachePoint'),
      status: memory.has(request, 'status'),
    }),
  )
  const accept = request.stream ? `${eventStreamType}, application/json` : 'application/json'
  return { url, headers: { accept, ...(await authorizer.headers(url, body, signal)) }, body }
}
