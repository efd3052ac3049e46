import { strict as assert } from 'node:assert'
import type { ModelMessage, ModelRequest } from '@agent-service/sdk/contracts/provider-adapter'
import { chooseAnswer, demoNotice } from './choose-answer.js'

describe('the answer of a script', () => {
  it('tells the result of a tool once, also where instructions stand behind the conversation', () => {
    const messages: readonly ModelMessage[] = [
      { role: 'user', content: [{ type: 'text', text: 'call shell {"command": "ls"}' }] },
      { role: 'assistant', content: [{ type: 'tool_call', call_id: '1', name: 'shell', arguments: { command: 'ls' } }] },
      { role: 'tool', content: [{ type: 'tool_result', call_id: '1', name: 'shell', content: [{ type: 'text', text: 'notes.md' }] }] },
      { role: 'system', content: [{ type: 'text', text: 'You may use the credential “printer”.' }] },
    ]
    const tools = [{ name: 'shell', description: 'Runs a command.', parameters: { type: 'object' } }]
    const model = { word_delay_ms: 0, calls_get_time: false, plays_demo: false, answers: [] }
    assert.deepEqual(chooseAnswer({ messages, tools } as unknown as ModelRequest, model), {
      text: `The tool says: notes.md. ${demoNotice}`,
    })
  })

  it('names a chat after the first line of the person', () => {
    const text = '----- material x -----\nThe person:\nHow long do I cook rice?\nAnd lentils?\n\nThe agent:\nTen minutes.\n-----'
    const request = { messages: [{ role: 'user', content: [{ type: 'text', text }] }], tools: [] }
    const model = { word_delay_ms: 0, calls_get_time: false, plays_demo: false, answers: [] }
    assert.deepEqual(chooseAnswer(request as unknown as ModelRequest, model), { text: 'How long do I cook rice?' })
  })
})
