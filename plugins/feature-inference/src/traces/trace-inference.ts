import { ServiceError } from '@agent-service/sdk'
import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import type { InferenceEvent, InferenceRequest } from '@agent-service/sdk/services/inference'
import type { SpanAttributes, Telemetry } from '@agent-service/sdk/services/telemetry'
import type { CallRecord } from '../common/call-record.js'
import { failureOf } from '../common/failure-of.js'

/** The spans of one inference. They contain no content of messages. */
export interface InferenceTrace {
  /** A model call starts. The returned function ends its span. */
  call(request: ModelRequest): (record: CallRecord) => void
}

/**
 * Runs an inference in its own span, with a child span for each call, by the GenAI conventions of
 * OpenTelemetry. Span names vary only by model. An inference that its caller abandons counts as
 * cancelled.
 */
export async function* traceInference(
  telemetry: Telemetry,
  { group, span: parent }: InferenceRequest,
  signal: AbortSignal,
  infer: (trace: InferenceTrace) => AsyncIterable<InferenceEvent>,
): AsyncGenerator<InferenceEvent, void, undefined> {
  const span = telemetry.startSpan({
    name: 'inference',
    ...(parent !== undefined && { parent }),
    attributes: { 'agent_service.model_group': group },
  })
  let calls = 0
  let errorType: string | undefined = 'cancelled'
  try {
    yield* infer({
      call(request) {
        calls += 1
        const call = telemetry.startSpan({
          name: `chat ${request.model}`,
          kind: 'client',
          parent: span.context,
          attributes: attributesOfRequest(request, group),
        })
        return (record) => {
          call.set(attributesOfRecord(record))
          const failure = record.outcome === 'completed' ? undefined : (record.failure ?? record.outcome)
          call.end(failure === undefined ? {} : { errorType: failure })
          // The consumer of the last event may not come back.
          if (failure === undefined) errorType = undefined
        }
      },
    })
  } catch (error) {
    if (!signal.aborted) errorType = ServiceError.isInstance(error) ? failureOf(error).failure : '_OTHER'
    throw error
  } finally {
    span.set({ 'agent_service.calls': calls })
    span.end(errorType === undefined ? {} : { errorType })
  }
}

const attributesOfRequest = ({ connection, protocol, model, settings, stream }: ModelRequest, group: string): SpanAttributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': providerNameOf(connection.brand),
  'gen_ai.request.model': model,
  'gen_ai.request.stream': stream,
  ...(settings.max_tokens !== undefined && { 'gen_ai.request.max_tokens': settings.max_tokens }),
  ...(settings.temperature !== undefined && { 'gen_ai.request.temperature': settings.temperature }),
  ...serverOf(connection.baseUrl),
  'agent_service.model_group': group,
  'agent_service.connection': connection.handle,
  'agent_service.protocol': protocol,
})

const attributesOfRecord = ({ usage, stopReason, responseModel, fallback, retries, firstTokenMs }: CallRecord): SpanAttributes => ({
  ...(responseModel !== undefined && { 'gen_ai.response.model': responseModel }),
  ...(stopReason !== undefined && { 'gen_ai.response.finish_reasons': [stopReason] }),
  ...(usage !== undefined && {
    'gen_ai.usage.input_tokens': usage.input_tokens,
    'gen_ai.usage.output_tokens': usage.output_tokens,
    'gen_ai.usage.cache_read.input_tokens': usage.cached_input_tokens,
  }),
  ...(firstTokenMs !== undefined && { 'agent_service.first_token_ms': firstTokenMs }),
  'agent_service.fallback': fallback,
  'agent_service.retries': retries,
})

/** Host and port of the address; nothing if it is a pattern that the adapter fills in. */
function serverOf(baseUrl: string): SpanAttributes {
  if (!URL.canParse(baseUrl)) return {}
  const { hostname, port } = new URL(baseUrl)
  return { 'server.address': hostname, ...(port !== '' && { 'server.port': Number(port) }) }
}

/** Brands that the GenAI conventions of OpenTelemetry name differently from the catalogue. */
const providerNames: Readonly<Record<string, string>> = {
  'amazon-bedrock': 'aws.bedrock',
  azure: 'azure.ai.openai',
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  moonshotai: 'moonshot_ai',
  xai: 'x_ai',
}

/**
 * The value of `gen_ai.provider.name` for a brand; its own name if the conventions do not list it.
 */
const providerNameOf = (brand: string): string => providerNames[brand] ?? brand
