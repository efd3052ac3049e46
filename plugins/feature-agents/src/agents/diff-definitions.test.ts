import { expect } from 'chai'
import { applyPatch } from 'diff'
import type { AgentDefinition } from '../store/agents/agent.js'
import { completeDefinition } from '../store/agents/new-agent.js'
import { diffDefinitions } from './diff-definitions.js'

const base = completeDefinition({ handle: 'aa', name: 'A', instructions: 'one\ntwo\nthree' })
const changesTo = (changes: Partial<AgentDefinition>, from: Partial<AgentDefinition> = {}) =>
  diffDefinitions({ ...base, ...from }, { ...base, ...changes }, { maxEditLength: 200, timeout: 10_000 })

describe('the difference between two definitions of an agent', () => {
  it('is empty for equal definitions', async () => {
    expect(await changesTo({})).to.deep.equal([])
  })

  it('is reported by path, for lists as a whole and for maps by member', async () => {
    const changes = await changesTo(
      { enabled: false, tools: ['a', 'b'], approval: { b: 'always', 'x/y~z': 'never' }, limits: {} },
      { tools: ['a'], approval: { a: 'always', b: 'never' }, limits: { max_tool_turns: 3 } },
    )
    expect(changes).to.deep.equal([
      { path: '/tools', before: ['a'], after: ['a', 'b'] },
      { path: '/approval/b', before: 'never', after: 'always', patch: '@@ -1,1 +1,1 @@\n-never\n+always\n' },
      { path: '/approval/x~1y~0z', after: 'never' },
      { path: '/enabled', before: true, after: false },
      { path: '/approval/a', before: 'always' },
      { path: '/limits/max_tool_turns', before: 3 },
    ])
  })

  it('distinguishes a section that is left out from a shared one', async () => {
    expect(await changesTo({ prompts: { tools: null } })).to.deep.equal([{ path: '/prompts/tools', after: null }])
    expect(await changesTo({ prompts: {} }, { prompts: { tools: null } })).to.deep.equal([{ path: '/prompts/tools', before: null }])
  })

  it('is a unified diff of the lines of two texts', async () => {
    const [change] = await changesTo({ instructions: 'one\n2\nthree' })
    expect(change?.patch).to.equal('@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n')
    const long = Array.from({ length: 400 }, (_, index) => `line ${index}`)
    const after = [...long.slice(0, 100), 'new', ...long.slice(120)].join('\n')
    const [longer] = await changesTo({ instructions: `${after}\n` }, { instructions: `${long.join('\n')}\n` })
    expect(applyPatch(`${long.join('\n')}\n`, longer?.patch ?? '')).to.equal(`${after}\n`)
    expect(longer?.patch?.split('\n').length).to.be.below(40)
  })

  it('has every member of the first version', async () => {
    const changes = await diffDefinitions(undefined, base)
    expect(changes.map(({ path }) => path)).to.include.members(['/handle', '/instructions', '/memory/enabled'])
    expect(changes.every((change) => !('before' in change) && !('patch' in change))).to.equal(true)
  })
})
