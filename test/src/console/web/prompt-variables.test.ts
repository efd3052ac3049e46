import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

describe('saved prompts in the message field', () => {
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(
      page,
      await bundleWebModules([
        'plugins/feature-prompts/web/screens/prompts/variables.ts',
        'plugins/feature-agents/web/composer/slash/typed-command.ts',
        'plugins/feature-prompts/web/screens/prompts/import-file.ts',
      ]),
    )
  })
  after(() => closeBrowser())

  it('ask for each variable once, with its first default, and leave other braces alone', async () => {
    const text = '{{language=German}} {{ text }} {{language}} {{date}} {{a=}} {{a=1}} {{}} {x} {{1}} {{a|b}} {{größe = 2 }}'
    expect(await callExport(page, 'variablesOf', text)).to.deep.equal([
      { name: 'language', preset: 'German' },
      { name: 'text', preset: '' },
      { name: 'a', preset: '1' },
      { name: 'größe', preset: '2' },
    ])
  })

  it('are filled in once: what looks like a variable in a value stays', async () => {
    const values = { language: '{{text}}', text: '$& <b>', __proto__: null }
    const filled = await callExport(page, 'filledIn', '{{language}}/{{text=a}}/{{date}}/{{other=1}}/{{constructor}}', values, 'today')
    expect(filled).to.equal('{{text}}/$& <b>/today/{{other=1}}/{{constructor}}')
  })

  it('begin with a slash at the beginning of a line, and are no paths', async () => {
    const command = (text: string, caret = text.length) => callExport(page, 'typedCommand', text, caret)
    expect(await command('/')).to.deep.equal({ from: 0, to: 1, query: '' })
    expect(await command('Hello\n/Tra')).to.deep.equal({ from: 6, to: 10, query: 'tra' })
    expect(await command('/tra and more', 4)).to.deep.equal({ from: 0, to: 4, query: 'tra' })
    for (const text of ['', 'a/', 'see /tra', '/etc/hosts', '/tra ', '//', `/${'a'.repeat(33)}`, '\n'])
      expect(await command(text), text).to.equal(undefined)
    expect(await command('/translate', 4)).to.equal(undefined)
  })

  it('come from an own export, and from that of Open WebUI, old and new', async () => {
    const read = (json: unknown) => callExport(page, 'promptsOfFile', JSON.stringify(json))
    const own = { command: 'mail', title: 'A mail', text: 'Write.' }
    expect(await read({ prompts: [own] })).to.deep.equal([own])
    const older = {
      command: '/My Mail_1',
      title: 'A mail',
      content: 'On {{CURRENT_DATE}}: {{topic | text:required}} {{CLIPBOARD}}',
      timestamp: 1,
    }
    const newer = { id: 'x', command: 'mail', name: 'Newer', content: 'Write.', access_grants: [] }
    expect(await read([older, newer])).to.deep.equal([
      { command: 'my-mail-1', title: 'A mail', text: 'On {{date}}: {{topic}} {{CLIPBOARD}}' },
      { command: 'mail', title: 'Newer', text: 'Write.' },
    ])
    expect(
      await read([
        { ...newer, command: '/a b' },
        { ...newer, command: 'a-b' },
      ]),
    ).to.deep.equal([
      { command: 'a-b', title: 'Newer', text: 'Write.' },
      { command: 'a-b-2', title: 'Newer', text: 'Write.' },
    ])
    for (const wrong of [{}, [], 1, null, [{ command: '/' }], { prompts: [] }])
      expect(await read(wrong), JSON.stringify(wrong)).to.equal(undefined)
    expect(await callExport(page, 'promptsOfFile', 'no JSON')).to.equal(undefined)
  })
})
