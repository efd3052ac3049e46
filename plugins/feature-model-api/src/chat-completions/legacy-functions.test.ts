import type { JsonObject } from '@agent-service/sdk'
import type { ServerSentEvent } from '@agent-service/sdk/contracts/http-route'
import { expect } from 'chai'
import { inFunctionForm, offersFunctions, streamInFunctionForm } from './legacy-functions.js'

const call = (index: number, name: string) => ({ index, id: `c${index}`, type: 'function', function: { name, arguments: '{}' } })
const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
  id: 'x',
  choices: [{ index: 0, delta, finish_reason: finish }],
})

describe('the form of answers before tools', () => {
  it('is for requests that offer functions, and not beside tools', () => {
    expect(offersFunctions({ functions: [{}] })).to.equal(true)
    for (const members of [{}, { functions: null }, { functions: [] }, { tools: [{}] }, { functions: [], tools: [{}] }])
      expect(offersFunctions(members)).to.equal(false)
    expect(() => offersFunctions({ functions: [{}], tools: [{}] })).to.throw('stands beside tools')
  })

  it('has the first call of an answer as its function_call', () => {
    const { index: _index, ...whole } = call(0, 'a')
    const message = { role: 'assistant', content: null, tool_calls: [whole, { ...whole, function: { name: 'b', arguments: '{}' } }] }
    const answer = inFunctionForm({ id: 'x', choices: [{ index: 0, message, finish_reason: 'tool_calls' }], usage: null })
    expect(answer).to.deep.equal({
      id: 'x',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: null, function_call: { name: 'a', arguments: '{}' } },
          finish_reason: 'function_call',
        },
      ],
      usage: null,
    })
  })

  it('leaves texts, comments and the end of a stream as they are', async () => {
    async function* events(): AsyncGenerator<ServerSentEvent> {
      for (const part of [
        chunk({ role: 'assistant', content: 'Hi' }),
        chunk({ tool_calls: [call(0, 'a')] }),
        chunk({ tool_calls: [call(1, 'b')] }),
      ])
        yield { data: JSON.stringify(part) }
      yield { comment: 'waiting' }
      yield { data: JSON.stringify(chunk({}, 'tool_calls')) }
      yield { data: JSON.stringify({ error: { message: 'It broke.' } }) }
      yield { data: '[DONE]' }
    }
    const seen: unknown[] = []
    for await (const event of streamInFunctionForm(events()))
      seen.push('data' in event && event.data.startsWith('{') ? JSON.parse(event.data) : event)
    expect(seen).to.deep.equal([
      chunk({ role: 'assistant', content: 'Hi' }),
      chunk({ function_call: { name: 'a', arguments: '{}' } }),
      chunk({}),
      { comment: 'waiting' },
      chunk({}, 'function_call'),
      { error: { message: 'It broke.' } },
      { data: '[DONE]' },
    ])
  })
})
