import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

const words = { title: 'Read a file', ask: 'Read {path}', running: 'Reading {path}', done: 'Read {path}', failed: 'Could not read {path}' }
const german = {
  title: 'Datei lesen',
  ask: '{path} lesen',
  running: 'Liest {path}',
  done: '{path} gelesen',
  failed: 'Konnte {path} nicht lesen',
}
const reader = { name: 'read_file', title: 'Read a file', display: { icon: 'file', words: { en: words, de: german } } }
const english = { ...reader, display: { words: { en: words } } }
const ofServer = { name: 'mcp__disk__search-files', title: 'Search the disk', display: null }

describe('the words of tools in the console', function () {
  this.timeout(60_000)
  let page: Page
  let code: string
  before(async () => {
    code = await bundleWebModules(['sdk/web/ui/tool-words.ts', 'sdk/web/i18n/language.ts'])
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(page, code)
  })
  after(closeBrowser)

  const told = (tool: object, stage: string, given: object = { path: 'notes.md' }) => callExport(page, 'callText', tool, stage, given)

  it('follow the language of the person, and fall back to English', async () => {
    expect(await told(reader, 'running')).to.equal('Reading notes.md')
    await callExport(page, 'chooseLanguage', 'de')
    expect(await told(reader, 'running')).to.equal('Liest notes.md')
    expect(await told(reader, 'failed')).to.equal('Konnte notes.md nicht lesen')
    expect(await told(english, 'done')).to.equal('Read notes.md')
    expect(await callExport(page, 'toolTitle', reader)).to.equal('Datei lesen')
    await callExport(page, 'chooseLanguage', 'en')
  })

  it('are the title without words for the call, and the name in words for a tool that is gone', async () => {
    expect(await told(reader, 'running', {}), 'while its arguments arrive').to.equal('Read a file')
    expect(await told(ofServer, 'done', {})).to.equal('Search the disk')
    expect(await told({ name: 'mcp__disk__search-files' }, 'done', {})).to.equal('Search files')
    expect(await told({ name: 'write_file' }, 'done', {})).to.equal('Write file')
  })

  it('keep what comes from the arguments apart, and name a picture of their own', async () => {
    expect(await callExport(page, 'callPieces', reader, 'done', { path: 'a\u202eb' })).to.deep.equal([
      { text: 'Read ', isValue: false },
      { text: 'a<U+202E>b', isValue: true },
    ])
    expect(await callExport(page, 'toolIcon', reader)).to.equal('file-text')
    for (const tool of [ofServer, { ...reader, display: { ...reader.display, icon: 'of another version' } }])
      expect(await callExport(page, 'toolIcon', tool)).to.equal('tool')
  })
})
