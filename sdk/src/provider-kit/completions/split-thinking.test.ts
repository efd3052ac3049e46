import { expect } from 'chai'
import { createThinkingSplitter } from './split-thinking.js'

/** Splits a text that comes in pieces of a size. */
function split(text: string, size: number) {
  const splitter = createThinkingSplitter()
  let [reasoning, rest] = ['', '']
  for (let start = 0; start < text.length; start += size) {
    const piece = splitter.add(text.slice(start, start + size))
    reasoning += piece.reasoning
    rest += piece.text
  }
  const last = splitter.end()
  return { reasoning: reasoning + last.reasoning, text: rest + last.text }
}

const cases: readonly (readonly [string, string, string])[] = [
  ['<think>\nHm. </think>\n\nYes', 'Hm. ', 'Yes'],
  ['\n <think>Hm</think>Yes', 'Hm', 'Yes'],
  ['<think>Hm < 3 </thin no</think>Yes', 'Hm < 3 </thin no', 'Yes'],
  ['<think>never closed </thi', 'never closed </thi', ''],
  ['<think></think>', '', ''],
  ['Yes', '', 'Yes'],
  ['  indented', '', '  indented'],
  ['<thin', '', '<thin'],
  ['<thing> is a tag', '', '<thing> is a tag'],
  ['The tag <think>x</think> is text', '', 'The tag <think>x</think> is text'],
  ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
  ['', '', ''],
]

describe('reasoning between tags', () => {
  for (const [text, reasoning, rest] of cases) {
    it(`${JSON.stringify(text)}, cut anywhere`, () => {
      for (const size of [1, 2, 3, 5, 8, 100]) expect(split(text, size), `pieces of ${size}`).to.deep.equal({ reasoning, text: rest })
    })
  }
})
