import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Resources } from '@agent-service/sdk/services/resources'
import { expect } from 'chai'
import { createRecordingLogger } from '../test-support/fake-tools.js'
import { createPrompts } from './create-prompts.js'

const shared = { '20-tools.md': 'Use tools.\n', '10-agent.md': '\nYou are an agent.\n', '30-empty.md': ' \n' }

function begin(files: Readonly<Record<string, string>> = shared) {
  const state = { fails: false, reads: 0 }
  const resources: Resources = {
    list: async () => Object.keys(files).sort(),
    async read(path) {
      state.reads += 1
      const text = files[path.replace('prompts/', '')]
      if (state.fails || text === undefined) throw notFoundError.create({ what: 'file' })
      return text
    },
  }
  const log = createRecordingLogger()
  return { state, log, prompts: createPrompts({ resources, log }) }
}

const agent = { name: 'Ada', instructions: '\nBe brief.\n', prompts: {} }
const textsOf = (message: { readonly content: readonly { readonly text: string }[] }) => message.content.map(({ text }) => text)

describe('the system message of an agent', () => {
  it('is the shared sections by file name, then its name and instructions', async () => {
    const { prompts } = begin()
    expect(textsOf(await prompts.system(agent))).to.deep.equal(['You are an agent.\n\nUse tools.\n\nYour name is Ada.\n\nBe brief.'])
  })

  it('has the extra texts after it, each a part of its own', async () => {
    const { prompts } = begin()
    const [plain] = textsOf(await prompts.system(agent))
    expect(textsOf(await prompts.system(agent, [' A space. ', '', 'Notes.']))).to.deep.equal([plain, 'A space.', 'Notes.'])
  })

  it('has the text of the agent instead of a section, and nothing if that is null', async () => {
    const { prompts } = begin()
    const own = { ...agent, prompts: { agent: null, tools: ' No tools. ', absent: 'Never seen.' } }
    expect(textsOf(await prompts.system(own))).to.deep.equal(['No tools.\n\nYour name is Ada.\n\nBe brief.'])
    expect(await prompts.sectionsOf(own)).to.deep.equal([
      { name: 'agent', source: 'left_out', text: '' },
      { name: 'tools', source: 'agent', text: 'No tools.' },
      { name: 'empty', source: 'shared', text: '' },
    ])
  })

  it('does not take inherited members for overrides', async () => {
    const { prompts } = begin({ '10-constructor.md': 'Build.' })
    expect(textsOf(await prompts.system(agent))[0]).to.match(/^Build\./)
  })

  it('is read once, and again after a failure', async () => {
    const { prompts, state } = begin()
    state.fails = true
    const failure = await prompts.system(agent).then(
      () => undefined,
      (error: unknown) => error,
    )
    expect(notFoundError.isInstance(failure)).to.equal(true)
    state.fails = false
    await prompts.system(agent)
    const reads = state.reads
    await prompts.system(agent)
    expect(state.reads).to.equal(reads)
  })

  it('skips files with invalid or repeated names, with a warning', async () => {
    const { prompts, log } = begin({
      'agent.md': 'Old.',
      '10-agent.md': 'New.',
      '20-agent.md': 'Twice.',
      '30-Über.md': 'x',
      'notes.txt': 'x',
    })
    expect((await prompts.sections()).map(({ text }) => text)).to.deep.equal(['New.'])
    expect(log.lines.map(({ fields }) => fields['file'])).to.have.members(['prompts/20-agent.md', 'prompts/30-Über.md', 'prompts/agent.md'])
  })
})
