import { expect } from 'chai'
import { callWords, toolNameWords } from './call-words.js'
import type { ToolPhrase } from './display.js'

const said = (phrase: ToolPhrase, given: Readonly<Record<string, unknown>>): string | undefined =>
  callWords(phrase, given)
    ?.map(({ text, isValue }) => (isValue ? `<${text}>` : text))
    .join('')

describe('callWords', () => {
  it('fills in the arguments of the call', () => {
    expect(said('Read {path}', { path: ' notes.md ' })).to.equal('Read <notes.md>')
    expect(said('{path}, line {line}', { path: 'a', line: 3 })).to.equal('<a>, line <3>')
    expect(said('Install {packages}', { packages: ['one', 'two'] })).to.equal('Install <one, two>')
    expect(said('Close the browser', {})).to.equal('Close the browser')
  })

  it('takes the first text whose arguments are all there', () => {
    const phrase = ['Read {path} from {line}', 'Read {path}', 'Read']
    expect(said(phrase, { path: 'a', line: 0 })).to.equal('Read <a> from <0>')
    for (const line of [undefined, null, '', {}, []]) expect(said(phrase, { path: 'a', line })).to.equal('Read <a>')
    expect(said(phrase, {})).to.equal('Read')
    expect(said('Read {path}', {}), 'while arguments still arrive').to.equal(undefined)
    expect(said('Read {toString}', {}), 'nothing is inherited').to.equal(undefined)
  })

  it('shows hostile values as what they are: no lines, no hidden characters, no placeholders of their own', () => {
    expect(said('Read {path}', { path: 'a\nb\u202etxt\u0007' })).to.equal('Read <a ⏎ b<U+202E>txt<U+0007>>')
    expect(said('Read {path}', { path: '{secret}', secret: 'x' })).to.equal('Read <{secret}>')
    const long = said('{text}', { text: 'x'.repeat(5_000) }) ?? ''
    expect(long).to.equal(`<${'x'.repeat(119)}…>`)
    expect(said('{text}', { text: '😀'.repeat(200) })).to.equal(`<${'😀'.repeat(119)}…>`)
  })
})

describe('toolNameWords', () => {
  it('makes words of a name', () => {
    expect(toolNameWords('write_file')).to.equal('Write file')
    expect(toolNameWords('mcp_disk__search-files')).to.equal('Search files')
    expect(toolNameWords('tool_dice__roll_dice')).to.equal('Roll dice')
    expect(toolNameWords('__')).to.equal('__')
  })
})
