import { expect } from 'chai'
import { displayWidth, fitToWidth } from './display-width.js'
import { tableLines } from './table.js'

describe('the width of text on a terminal', () => {
  for (const [text, width] of [
    ['abc', 3],
    ['日本', 4],
    ['👩‍🚀', 2],
    ['🇩🇪', 2],
    ['❤️', 2],
    ['e\u0301', 1],
    ['', 0],
    ['한국어', 6],
    ['１', 2],
  ] as const) {
    it(`is ${width} for “${text}”`, () => expect(displayWidth(text)).to.equal(width))
  }

  it('is kept to without cutting a character', () => {
    expect(fitToWidth('日本語', 6)).to.equal('日本語')
    expect(fitToWidth('日本語', 5)).to.equal('日本…')
    expect(fitToWidth('日本語', 4)).to.equal('日…')
    expect(fitToWidth('abc', 0)).to.equal('')
  })
})

describe('a table', () => {
  const rows = [
    ['ID', 'TITLE', 'AGENT'],
    ['0198c5f2', '今日は東京で会議があります', 'assistant'],
    ['0198c5f3', 'two\nlines\u001b[2J', 'editor'],
  ]

  it('aligns columns by the width of their characters, in one line for each row', () => {
    expect(tableLines(rows)).to.deep.equal([
      'ID        TITLE                       AGENT',
      '0198c5f2  今日は東京で会議があります  assistant',
      '0198c5f3  two lines␛[2J               editor',
    ])
  })

  it('shortens the widest columns to the width of the terminal, but none that is copied', () => {
    const lines = tableLines(rows, { columns: 32, whole: ['ID'] })
    for (const line of lines) expect(displayWidth(line)).to.be.at.most(32)
    expect(lines).to.deep.equal(['ID        TITLE        AGENT', '0198c5f2  今日は東京…  assistant', '0198c5f3  two lines␛…  editor'])
  })

  it('gives each cell its own line if a row cannot fit', () => {
    expect(tableLines(rows, { columns: 20, whole: ['ID'] }).slice(0, 4)).to.deep.equal([
      'ID     0198c5f2',
      'TITLE  今日は東京で会議があります',
      'AGENT  assistant',
      '',
    ])
  })
})
