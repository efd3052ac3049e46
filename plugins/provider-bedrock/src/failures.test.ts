import type { ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { bytesOf, type CallOutcome, outcomeOf, type Replay, type ReplayServer, startReplayServer } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { converseRequest, createTestAdapter } from './test-support/adapter.js'
import { eventFrame, exceptionFrame } from './test-support/encode-frame.js'

describe('failures of Bedrock', () => {
  const adapter = createTestAdapter()
  let replay: Replay = { pieces: [] }
  let server: ReplayServer
  before(async () => {
    server = await startReplayServer(() => replay)
  })
  after(() => server.close())

  const outcome = (next: Replay, changes: Partial<ModelRequest> = {}): Promise<CallOutcome> => {
    replay = next
    return outcomeOf(adapter, converseRequest(server.baseUrl, changes))
  }

  it('every exception inside a stream', async () => {
    const kinds: Readonly<Record<string, readonly [failure: string, retryable: boolean]>> = {
      internalServerException: ['overloaded', true],
      modelStreamErrorException: ['overloaded', true],
      modelTimeoutException: ['overloaded', true],
      serviceUnavailableException: ['overloaded', true],
      throttlingException: ['rate_limited', true],
      validationException: ['bad_request', false],
      accessDeniedException: ['authentication', false],
      serviceQuotaExceededException: ['quota_exceeded', false],
      somethingNewException: ['overloaded', true],
    }
    for (const [type, [failure, retryable]] of Object.entries(kinds)) {
      const pieces = [
        eventFrame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: 'Hi' } }),
        exceptionFrame(type, { message: 'No.' }),
      ]
      const { error, text } = await outcome({ headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces })
      expect(text).to.equal('Hi')
      expect(error?.details, type).to.include({ failure, retryable, reason: 'No.', providerCode: type.toLowerCase() })
    }
    const overflow = exceptionFrame('validationException', { message: 'Input is too long for requested model.' })
    const { error } = await outcome({ headers: { 'content-type': 'application/vnd.amazon.eventstream' }, pieces: [overflow] })
    expect(error?.details['failure']).to.equal('context_overflow')
  })

  it('refusals by their type, before their status', async () => {
    const kinds: readonly (readonly [status: number, type: string, message: string, failure: string, retryable: boolean])[] = [
      [429, 'ThrottlingException', 'Too many requests, please wait before trying again.', 'rate_limited', true],
      [429, 'ThrottlingException', 'Too many tokens per day, please wait before trying again.', 'quota_exceeded', false],
      [429, 'ModelNotReadyException', 'The model is not ready.', 'overloaded', true],
      [424, 'ModelErrorException', 'The model failed.', 'overloaded', true],
      [408, 'ModelTimeoutException', 'It took too long.', 'overloaded', true],
      [400, 'ServiceQuotaExceededException', 'No more.', 'quota_exceeded', false],
      [404, 'ResourceNotFoundException', 'This Model is marked by provider as Legacy.', 'model_not_found', false],
      [
        400,
        'ValidationException',
        'Invocation of model ID x with on-demand throughput isn’t supported. Retry with an inference profile.',
        'model_not_found',
        false,
      ],
      [400, 'ValidationException', 'temperature: range: 0..1', 'bad_request', false],
      [403, 'AccessDeniedException', "You don't have access to the model with the specified model ID.", 'authentication', false],
    ]
    for (const [status, type, message, failure, retryable] of kinds) {
      const header = {
        'content-type': 'application/json',
        'x-amzn-errortype': `${type}:http://internal.amazon.com/`,
        'x-amzn-requestid': 'r1',
      }
      const body = { Message: message }
      const { error } = await outcome({ status, headers: header, pieces: [bytesOf(JSON.stringify(body))] })
      expect(error?.details, message).to.include({ failure, retryable, httpStatus: status, reason: message, providerRequestId: 'r1' })
      const inBody = { __type: `com.amazon.coral.service#${type}`, message }
      const other = await outcome({ status, headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(inBody))] })
      expect(other.error?.details, message).to.include({ failure, providerCode: type.toLowerCase() })
    }
  })

  it('an answer with status 200 that contains an error', async () => {
    const none = (value: unknown): Replay => ({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(JSON.stringify(value))] })
    expect((await outcome(none({ __type: 'ThrottlingException', message: 'Slow down' }))).error?.details).to.include({
      failure: 'rate_limited',
    })
    for (const value of [{}, { output: {} }, [], 'text', 1])
      expect((await outcome(none(value))).error?.details['failure']).to.equal('invalid_response')
  })
})
