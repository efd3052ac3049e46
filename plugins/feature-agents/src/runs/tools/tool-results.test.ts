import type { ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import { expect } from 'chai'
import fc from 'fast-check'
import { cutResult, hasCutResult } from './tool-results.js'

const call: ToolCallPart = { type: 'tool_call', call_id: 'call-1', name: 'look', arguments: {} }
const shown = (text: string, room: Parameters<typeof cutResult>[2] = { calls: 1 }, readable = true) => {
  const { part, whole } = cutResult(call, [{ type: 'text', text }], room, readable)
  return { part, whole, text: part.content.map((item) => (item.type === 'text' ? item.text : '')).join('\n') }
}

describe('a tool’s result as the model reads it', () => {
  it('is whole if it fits', () => {
    expect(shown('short')).to.deep.include({ whole: undefined, text: 'short' })
    expect(hasCutResult([{ role: 'tool', content: [shown('short').part] }])).to.equal(false)
  })

  it('has its beginning, its end, and a line on how to read the rest', () => {
    const text = `begin ${'x'.repeat(200_000)} end`
    const { part, whole, text: cut } = shown(text)
    expect(whole).to.equal(text)
    expect(cut).to.match(/^begin x+\n\[cut: \d+ of 200010 characters left out\. /)
    expect(cut).to.match(/\nx+ end$/)
    expect(cut).to.include('with read_result {"call_id":"call-1","offset":60000,"length":20000}')
    expect(hasCutResult([{ role: 'tool', content: [part] }])).to.equal(true)
  })

  it('offers to read the rest only if it is stored', () => {
    const { part, text } = shown('x'.repeat(200_000), { calls: 1 }, false)
    expect(text).to.include('[cut: 100000 of 200000 characters left out]')
    expect(hasCutResult([{ role: 'tool', content: [part] }])).to.equal(false)
  })

  it('takes no more of a small window than its share', () => {
    const words = 'some common words '.repeat(10_000)
    expect(shown(words, { calls: 1, tokens: 2_000 }).text.length, 'half of the turn').to.be.within(4_000, 4_300)
    expect(shown(words, { calls: 10, tokens: 10_000 }).text.length, 'one of ten').to.be.within(4_000, 4_300)
    expect(shown('漢'.repeat(10_000), { calls: 1, tokens: 4_000 }).text.length, 'of long characters fewer').to.be.within(1_500, 1_900)
    expect(shown(words, { calls: 100, tokens: 100 }).text.length, 'never nothing').to.be.within(1_000, 1_300)
  })

  it('states exactly what is missing, and never splits a character', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1_001, max: 3_000 }), (shift, count) => {
        const text = 'y'.repeat(shift) + '😀'.repeat(count)
        const { text: cut } = shown(text, { calls: 1, tokens: 1 })
        const [, begin = '', missing, length, end = ''] =
          /^([\s\S]*)\n\[cut: (\d+) of (\d+) [^\]]*\]\n([\s\S]*)$/.exec(cut) ?? expect.fail(cut)
        expect(Number(length)).to.equal(text.length)
        expect(begin.length + Number(missing) + end.length).to.equal(text.length)
        expect(text.startsWith(begin) && text.endsWith(end)).to.equal(true)
        expect(cut).to.not.match(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/)
      }),
    )
  })
})
