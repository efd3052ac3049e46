import type { JsonValue } from '@agent-service/sdk'
import type { ModelListRequest, OfferedModel } from '@agent-service/sdk/contracts/provider-adapter'
import {
  callFailure,
  endpointUrl,
  isObject,
  listAt,
  listOfferedModels,
  type ModelListEntry,
  numberAt,
  objectAt,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { readQuirks } from '../completions/quirks.js'
import type { CallMeans } from '../connection/call-means.js'
import { failureSigns } from '../connection/failure-signs.js'
import { openConnection } from '../connection/open-connection.js'

/** Asks for `/models`. Azure has deployments instead, which its key cannot list. */
export function listModels(
  { connection, timeouts }: ModelListRequest,
  { signal, client, copilotTokens }: CallMeans,
): Promise<readonly OfferedModel[]> {
  const quirks = readQuirks(connection.quirks)
  const call = { connection, timeouts, protocol: 'completions', model: '' }
  const opened = openConnection({ ...call, messages: [], tools: [], settings: {}, extraParams: {}, stream: false }, quirks, copilotTokens)
  return listOfferedModels(
    { connection, timeouts },
    {
      signal,
      client,
      signs: failureSigns,
      secrets: opened.secrets,
      mend: (refusal) => opened.renew(refusal),
      async prepare(callSignal) {
        if (quirks.service === 'azure' || connection.accountId !== undefined) throw callFailure(noList)
        const { baseUrl, headers } = await opened.reach(callSignal)
        return { method: 'GET', url: endpointUrl(baseUrl, '/models', quirks.query), headers, body: '' }
      },
      read: readModels,
    },
  )
}

const noList = {
  failure: 'bad_request',
  retryable: false,
  reason: 'This brand does not list its models. Name the model, or its deployment.',
} as const

/** `{data: […]}`; a few brands answer with the array itself. */
function readModels(answer: JsonValue): readonly ModelListEntry[] | undefined {
  const isList = Array.isArray(answer) || (isObject(answer) && Array.isArray(answer['data']))
  if (!isList) return undefined
  const entries: readonly JsonValue[] = Array.isArray(answer) ? answer : listAt(answer, 'data')
  return entries.map((entry) => ({
    id: textAt(entry, 'id'),
    name: textAt(entry, 'name') ?? textAt(entry, 'display_name'),
    contextWindow:
      numberAt(entry, 'context_window') ??
      numberAt(entry, 'context_length') ??
      numberAt(entry, 'max_context_length') ??
      numberAt(entry, 'max_model_len'),
    maxOutputTokens: numberAt(entry, 'max_completion_tokens') ?? numberAt(objectAt(entry, 'top_provider'), 'max_completion_tokens'),
    answers: answersOf(entry),
    tools: toolsOf(entry),
  }))
}

/** Of what OpenRouter and Mistral say about abilities. */
function toolsOf(entry: JsonValue): boolean | undefined {
  const parameters = listAt(entry, 'supported_parameters')
  if (parameters.length > 0) return parameters.includes('tools')
  const calls = objectAt(entry, 'capabilities')?.['function_calling']
  return typeof calls === 'boolean' ? calls : undefined
}

/** Of what lists say about kinds; OpenAI's own says nothing, but its names do. */
function answersOf(entry: JsonValue): boolean | undefined {
  const outputs = listAt(objectAt(entry, 'architecture'), 'output_modalities')
  if (outputs.length > 0) return outputs.includes('text')
  const chats = objectAt(entry, 'capabilities')?.['completion_chat']
  if (typeof chats === 'boolean') return chats
  const kind = textAt(entry, 'type')
  if (kind === 'embedding' || kind === 'image' || kind === 'rerank') return false
  return /(^|[/_-])(embed(ding)?s?|whisper|tts|dall-e|moderation|rerank(er)?)([._-]|$)/i.test(textAt(entry, 'id') ?? '') ? false : undefined
}
