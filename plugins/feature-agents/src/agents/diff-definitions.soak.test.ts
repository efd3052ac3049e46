import { expect } from 'chai'
import type { AgentDefinition } from '../store/agents/agent.js'
import { completeDefinition } from '../store/agents/new-agent.js'
import { diffDefinitions } from './diff-definitions.js'

const base = completeDefinition({ handle: 'aa', name: 'A', instructions: 'one\ntwo\nthree' })
const changesTo = (changes: Partial<AgentDefinition>, from: Partial<AgentDefinition> = {}) =>
  diffDefinitions({ ...base, ...from }, { ...base, ...changes })

describe('the difference between two long definitions of an agent', () => {
  for (const { count, what } of [
    { count: 2_400, what: 'have nothing in common' },
    { count: 20_000, what: 'are very long' },
  ]) {
    it(`does not compare texts by line that ${what}, and does not take long to notice`, async () => {
      const lines = (word: string): string => Array.from({ length: count }, (_, index) => `${word}${index}`).join('\n')
      const prompts = (word: string) => Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`s${index}`, lines(word)]))
      let longest = 0
      let last = performance.now()
      const watch = setInterval(() => {
        longest = Math.max(longest, performance.now() - last)
        last = performance.now()
      }, 1)
      const changes = await changesTo({ prompts: prompts('b') }, { prompts: prompts('a') })
      clearInterval(watch)
      expect(changes).to.have.length(10)
      for (const change of changes) expect(change).to.have.all.keys('path', 'before', 'after')
      expect(longest).to.be.below(400)
    })
  }
})
