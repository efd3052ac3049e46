import type { JsonValue } from '@agent-service/sdk'
import { expect } from 'chai'
import { createToolWordLines } from './tool-words.js'

const words = { title: 'Read a file', ask: 'Read {path}', running: 'Reading {path}', done: 'Read {path}', failed: 'Could not read {path}' }
const list = {
  items: [
    { name: 'read_file', display: { words: { en: words } } },
    { name: 'dig', display: null },
  ],
  next_cursor: null,
}

describe('the lines about tool calls', () => {
  it('are in the words of the tool, which are read once', async () => {
    let requests = 0
    const lines = createToolWordLines({
      request: async () => {
        requests += 1
        return list as JsonValue
      },
    })
    expect(await lines.call({ name: 'read_file', arguments: { path: 'a\u202eb' }, purpose: 'Read a' })).to.equal(
      '→ Reading a<U+202E>b  (read_file)',
    )
    expect(await lines.result({ name: 'read_file', content: [{ type: 'text', text: 'Milk\nEggs' }] })).to.equal('← Read a file: Milk Eggs')
    expect(await lines.call({ name: 'read_file', arguments: {} }), 'arguments that do not fit').to.equal('→ read_file {}')
    expect(await lines.call({ name: 'dig', arguments: { deep: 1 }, purpose: 'Dig' })).to.equal('→ dig {"deep":1}  Dig')
    expect(requests).to.equal(1)
  })

  it('are of names and arguments where the tools cannot be read', async () => {
    const lines = createToolWordLines({ request: () => Promise.reject(new Error('offline')) })
    expect(await lines.call({ name: 'read_file', arguments: { path: 'a' } })).to.equal('→ read_file {"path":"a"}')
  })
})
