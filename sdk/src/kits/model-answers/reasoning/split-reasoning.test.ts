import { expect } from 'chai'
import { createReasoningSplitter } from './split-reasoning.js'
import { withoutReasoning } from './without-reasoning.js'

/** Splits a text that comes in pieces of a size. */
function split(text: string, size: number, { expected = false, cut = false } = {}) {
  const splitter = createReasoningSplitter({ expected })
  const result = { reasoning: '', text: '' }
  const take = (pieces: ReturnType<typeof splitter.add>): void => {
    for (const piece of pieces) {
      if (piece.withdraws) result.reasoning = ''
      result[piece.kind] += piece.text
    }
  }
  for (let start = 0; start < text.length; start += size) take(splitter.add(text.slice(start, start + size)))
  take(splitter.end(cut))
  return result
}

type Case = readonly [text: string, reasoning: string, rest: string]

const opened: readonly Case[] = [
  ['<think>\nHm. </think>\n\nYes', 'Hm. ', 'Yes'],
  ['\n <think>Hm</think>Yes', 'Hm', 'Yes'],
  ['\ufeff<think>Hm</think>Yes', 'Hm', 'Yes'],
  ['<think>Hm < 3 </thin no</think>Yes', 'Hm < 3 </thin no', 'Yes'],
  ['<think>never closed </thi', 'never closed </thi', ''],
  ['<think></think>', '', ''],
  ['<think>\n\n</think>\n\nYes', '', 'Yes'],
  ['Yes', '', 'Yes'],
  ['  indented', '', '  indented'],
  ['<thin', '', '<thin'],
  ['<thing> is a tag', '', '<thing> is a tag'],
  ['<thinking-cap> is a tag', '', '<thinking-cap> is a tag'],
  ['[THINKER] is no mark', '', '[THINKER] is no mark'],
  ['The tag <think>x</think> is text', '', 'The tag <think>x</think> is text'],
  ['`<think>` begins it', '', '`<think>` begins it'],
  ['```\n<think>\nx\n</think>\n```', '', '```\n<think>\nx\n</think>\n```'],
  ['Reasoning first.\n</think>\n\nYes', '', 'Reasoning first.\n</think>\n\nYes'],
  ['</think>\n\nYes', '', 'Yes'],
  ['', '', ''],
]

const spellings: readonly Case[] = [
  ['<thinking>a</thinking>Yes', 'a', 'Yes'],
  ['<Thought>a</Thought>Yes', 'a', 'Yes'],
  ['<THINK>a</think>Yes', 'a', 'Yes'],
  ['<reason>a</reason>\nYes', 'a', 'Yes'],
  ['<reasoning>a</reasoning>Yes', 'a', 'Yes'],
  ['<think type="deep" n=\'1\'>a</think>Yes', 'a', 'Yes'],
  ['<seed:think>a</seed:think>Yes', 'a', 'Yes'],
  ['<mm:think>a</mm:think>Yes', 'a', 'Yes'],
  ['[THINK]a[/THINK]Yes', 'a', 'Yes'],
  ['◁think▷a◁/think▷Yes', 'a', 'Yes'],
  ['<|begin_of_thought|>\n\na\n\n<|end_of_thought|>\n\n<|begin_of_solution|>\nYes\n<|end_of_solution|>', 'a\n\n', 'Yes\n'],
  ['<|START_THINKING|>a<|END_THINKING|><|START_RESPONSE|>Yes<|END_RESPONSE|>', 'a', 'Yes'],
  ['<|channel>thought\na<channel|>Yes', 'a', 'Yes'],
  ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>Yes<|return|>', 'a', 'Yes'],
  ['<|channel|>analysis<|message|>a<|start|>assistant<|channel|>final<|message|>Yes', 'a', 'Yes'],
  ['<|channel|>final<|message|>Yes', '', 'Yes'],
]

const several: readonly Case[] = [
  ['<think>a</think>b<think>c</think>', 'a', 'b<think>c</think>'],
  ['<think>a</think>\n<think>b</think>\nYes', 'a\n\nb', 'Yes'],
  ['<think>a</think>First.\n\n<think>\nb\n</think>\n\nThen.', 'ab\n', 'First.\n\nThen.'],
  ['<think>a</think>Write:\n<think>\nb\n</think>', 'a', 'Write:\n<think>\nb\n</think>'],
  ['<think>a</think>See\n```\n<think>\nb\n</think>\n```\n', 'a', 'See\n```\n<think>\nb\n</think>\n```\n'],
  ['First.\n<think>\nb\n</think>', '', 'First.\n<think>\nb\n</think>'],
  ['<think>a</think>First.\n<think> is its name.', 'a', 'First.\n<think> is its name.'],
]

const expectedOnes: readonly Case[] = [
  ['Let me see.\n</think>\n\nYes', 'Let me see.\n', 'Yes'],
  ['\nLet me see.[/THINK]Yes', 'Let me see.', 'Yes'],
  ['<think>a</think>Yes', 'a', 'Yes'],
  ['Yes, without thinking', '', 'Yes, without thinking'],
  ['First.\n\n</think>Yes </think> it is', 'First.\n\n', 'Yes </think> it is'],
]

const sizes = [1, 2, 3, 5, 8, 1_000]

describe('reasoning between tags', () => {
  for (const [text, reasoning, rest] of [...opened, ...spellings, ...several]) {
    it(`${JSON.stringify(text)}, cut anywhere`, () => {
      for (const size of sizes) expect(split(text, size), `pieces of ${size}`).to.deep.equal({ reasoning, text: rest })
    })
  }

  for (const [text, reasoning, rest] of expectedOnes) {
    it(`of a model that is known for it: ${JSON.stringify(text)}`, () => {
      for (const size of sizes) expect(split(text, size, { expected: true }), `pieces of ${size}`).to.deep.equal({ reasoning, text: rest })
    })
  }

  it('of a model that is known for it is all that came before the limit', () => {
    for (const size of sizes)
      expect(split('Let me see', size, { expected: true, cut: true })).to.deep.equal({ reasoning: 'Let me see', text: '' })
  })

  it('begins anew after another part of the answer', () => {
    const splitter = createReasoningSplitter({ expected: false })
    const before = splitter.add('<think>a</think>Looking')
    splitter.resume()
    const after = [...splitter.add('<think>b</th'), ...splitter.add('ink>Done'), ...splitter.end(false)]
    expect([...before, ...after]).to.deep.equal([
      { kind: 'reasoning', text: 'a' },
      { kind: 'text', text: 'Looking' },
      { kind: 'reasoning', text: 'b' },
      { kind: 'text', text: 'Done' },
    ])
  })

  it('costs no more than the length of the text', () => {
    const begun = `<think>a</think>b\n${'<think \n'.repeat(200_000)}`
    expect(split(begun, begun.length).reasoning).to.equal('a')
    const blanks = '\n'.repeat(400_000)
    expect(split(blanks, 1).text).to.equal(blanks)
    const trailing = `<think>${' '.repeat(400_000)}`
    expect(split(`<think>a</think>b\n${trailing}`, 1).text).to.equal(`b\n${trailing}`)
  })

  it('is none of an answer that is to be JSON', () => {
    const splitter = createReasoningSplitter({ expected: true, json: true })
    const pieces = [...splitter.add('\n{"a":"</think>'), ...splitter.add('"}'), ...splitter.end(false)]
    expect(pieces.map(({ kind, text }) => `${kind} ${text}`).join('|')).to.equal('text \n|text {"a":"</think>|text "}')
  })

  it('is left out of a whole text', () => {
    expect(withoutReasoning('<think>\nThe person asks.\n</think>\n\nRome')).to.equal('Rome')
    expect(withoutReasoning('The person asks.\n</think>\n\nRome')).to.equal('The person asks.\n</think>\n\nRome')
    expect(withoutReasoning('The person asks.\n</think>\n\nRome', { expected: true })).to.equal('Rome')
    expect(withoutReasoning('a < b', { expected: true })).to.equal('a < b')
  })
})
