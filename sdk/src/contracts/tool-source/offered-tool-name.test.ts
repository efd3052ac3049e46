import { expect } from 'chai'
import { offeredToolName, toolNamePrefix } from './offered-tool-name.js'

describe('the name that a tool of a source is offered by', () => {
  it('is the name of the source and its own', () => {
    expect(offeredToolName('mcp-host', 'search_files')).to.equal('mcp_host__search_files')
    expect(offeredToolName('mcp', 'github__search')).to.equal('mcp__github__search')
    expect(toolNamePrefix('mcp-host')).to.equal('mcp_host__')
  })

  it('can be called by every model, whatever the tool is called', () => {
    for (const name of [
      'search-files',
      'SearchFiles',
      'Dateien öffnen',
      '検索',
      '',
      '__',
      'x'.repeat(300),
      'a.b/c:d',
      '🙂',
      '1',
      'deadbeef',
    ])
      expect(offeredToolName('disk', name), name).to.match(/^disk__[a-z0-9_]{1,58}$/)
    expect(offeredToolName('disk', 'search-files')).to.match(/^disk__search_files_[0-9a-f]{8}$/)
    expect(offeredToolName('disk', 'SearchFiles')).to.match(/^disk__search_files_[0-9a-f]{8}$/)
    expect(offeredToolName('x'.repeat(24), 'y'.repeat(300))).to.have.length(64)
  })

  it('is never that of another tool', () => {
    const names = [
      'get-issue',
      'get_issue',
      'getIssue',
      'GET ISSUE',
      'get.issue',
      'get_issue_',
      '_get_issue',
      `${'x'.repeat(80)}1`,
      `${'x'.repeat(80)}2`,
    ]
    const offered = names.map((name) => offeredToolName('github', name))
    expect(new Set(offered).size).to.equal(names.length)
  })

  it('cannot be made to look like one that was shortened', () => {
    const real = offeredToolName('github', 'get-issue')
    const forged = real.replace('github__', '')
    expect(offeredToolName('github', forged)).not.to.equal(real)
  })
})
