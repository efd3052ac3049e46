import { expect } from 'chai'
import { commandOf, promptsOfFile } from './import-file.js'

const promptsOf = (content: unknown) => promptsOfFile(JSON.stringify(content))

describe('a file of prompts', () => {
  it('is an own export', () => {
    const prompts = [{ command: 'translate', title: 'Translate', text: 'Into {{language=German}}:\n{{text}}' }]
    expect(promptsOf({ prompts })).to.deep.equal(prompts)
  })

  it('is one of Open WebUI, in its older and its newer form, with its variables in the form of ours', () => {
    const foreign = [
      {
        command: '/hello_there',
        title: 'Hello',
        content: 'Hello {{ name | text:placeholder="Who" }}, it is {{CURRENT_DATE}}. {{CLIPBOARD}}',
        timestamp: 1,
      },
      { id: 'x', command: 'bye', name: 'Bye', content: 'Bye.', access_grants: [] },
    ]
    expect(promptsOf(foreign)).to.deep.equal([
      { command: 'hello-there', title: 'Hello', text: 'Hello {{name}}, it is {{date}}. {{CLIPBOARD}}' },
      { command: 'bye', title: 'Bye', text: 'Bye.' },
    ])
  })

  it('takes the command for a title where there is none, and cuts one that is too long', () => {
    expect(promptsOf([{ command: 'a', content: 'A' }])?.[0]?.title).to.equal('a')
    expect(promptsOf([{ command: 'a', title: 'x'.repeat(121), content: 'A' }])?.[0]?.title).to.have.length(120)
  })

  it('numbers different commands that have become the same, within their length', () => {
    const long = 'a'.repeat(40)
    const prompts = ['Tell me', 'tell_me', long, `${long}b`].map((command) => ({ command, content: 'Text' }))
    const commands = promptsOf(prompts)?.map(({ command }) => command)
    expect(commands).to.deep.equal(['tell-me', 'tell-me-2', 'a'.repeat(32), `${'a'.repeat(27)}-2`])
  })

  it('is refused whole when it is something else, or one of its prompts has no text', () => {
    expect(promptsOfFile('no JSON')).to.equal(undefined)
    for (const other of [
      {},
      [],
      { prompts: [] },
      'text',
      null,
      [{ command: 'a', content: ' ' }],
      [{ title: 'A', content: 'A' }],
      [{ command: '/' }],
      [null],
      1,
    ])
      expect(promptsOf(other), JSON.stringify(other)).to.equal(undefined)
    expect(promptsOf([{ command: 'a', content: 'A' }, { command: 'b' }])).to.equal(undefined)
  })
})

describe('the command of a title', () => {
  it('has lower-case letters, digits and dashes alone, none at its ends', () => {
    expect(commandOf(' Translate a Text! ')).to.equal('translate-a-text')
    expect(commandOf('Ärger')).to.equal('rger')
    expect(commandOf('…')).to.equal('')
    expect(commandOf(`${'a'.repeat(31)} b`)).to.equal('a'.repeat(31))
  })
})
