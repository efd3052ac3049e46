/**
 * What adapters of model providers share: one HTTP client, deadlines, framing, failures. Loads an
 * HTTP library with the first call, nothing before. The rest of the SDK does not import it.
 *
 * @packageDocumentation
 */
export type { AnswerAssembler } from './answer-assembler.js'
export { costOf } from './answers/cost.js'
export { type AnswerCharacters, estimateUsage } from './answers/estimate-usage.js'
export { mergeExtraParameters } from './answers/merge-extra-parameters.js'
export { parseArguments } from './answers/parse-arguments.js'
export { pushDelta } from './answers/push-delta.js'
export { createLogprobCollector, type LogprobCollector, readTokenLogprobs } from './answers/token-logprobs.js'
export { createToolNames, type ToolNameRule, type ToolNames } from './answers/tool-names.js'
export { callModel, type ModelCall } from './call-model.js'
export { isObject, listAt, numberAt, objectAt, parseJson, textAt } from './common/json.js'
export { type CompletionsContext, createCompletionsAssembler } from './completions/assemble-answer.js'
export { buildCompletionsMessages, type CompletionsMessagesContext, completionsResultText } from './completions/build-messages.js'
export { type EmbeddingCall, type EmbeddingPart, embedTexts } from './embed-texts.js'
export type { Exchange, ExchangeRequest, Refusal } from './exchange.js'
export { type CallFailure, callFailure } from './failures/call-failure.js'
export { classifyFailure, type FailureSign, type RefusedAnswer } from './failures/classify.js'
export { type ErrorBody, readErrorText, readErrorValue } from './failures/error-body.js'
export type { FailureReport } from './failures/failure-report.js'
export { redactKeys } from './failures/to-error.js'
export { describedSchema } from './messages/described-schema.js'
export { fileAsText, filesAsText, textOfFile } from './messages/file-as-text.js'
export { endpointUrl, type ModelPost } from './send-post.js'
export { createEventStreamReader } from './streams/event-stream.js'
export { createJsonLinesReader } from './streams/json-lines.js'
export type { StreamDocument, StreamReader } from './streams/stream-reader.js'
export { createModelClient, type ModelClient } from './transport/model-client.js'
export type { Post } from './transport/post.js'
export { createResponseHeaders, type ResponseHeaders, type UpstreamResponse } from './transport/upstream-response.js'
