import { expect } from 'chai'
import { pageText, type TextItem } from './pdf-lines.js'

const item = (str: string, left: number, dir: 'ltr' | 'rtl', bottom = 700): TextItem => ({
  str,
  dir,
  transform: [1, 0, 0, 1, left, bottom],
  height: 10,
  hasEOL: false,
})
const end = { ...item('', 0, 'ltr'), hasEOL: true }

describe('the lines of a page', () => {
  it('are read from right to left where their words are, in whatever order a program has drawn them', () => {
    const drawnFromLeft = [item('עולם', 523, 'rtl'), item(' ', 549, 'ltr'), item('שלום', 552, 'rtl'), end]
    const drawnAsRead = [item('שלום', 552, 'rtl'), item(' ', 549, 'ltr'), item('עולם', 523, 'rtl'), end]
    for (const items of [drawnFromLeft, drawnAsRead]) expect(pageText(items)).to.equal('שלום עולם')
  })

  it('stay as they are where a word is read from left to right', () => {
    expect(pageText([item('Shalom', 10, 'ltr'), item(' ', 40, 'ltr'), item('שלום', 45, 'rtl'), end])).to.equal('Shalom שלום')
    expect(pageText([item('Annual', 10, 'ltr'), item(' ', 40, 'ltr'), item('report', 45, 'ltr'), end])).to.equal('Annual report')
  })

  it('are paragraphs where the gap between them is large', () => {
    const lines = [item('One', 10, 'ltr', 700), end, item('two', 10, 'ltr', 688), end, item('Three', 10, 'ltr', 660), end]
    expect(pageText(lines)).to.equal('One\ntwo\n\nThree')
  })
})
