import { expect } from 'chai'
import { docxOf, epubOf, openDocumentOf, paragraph, pptxOf, shapeOf, word, xlsxOf } from '../test-support/office-files.js'
import { readBytes } from '../test-support/read-bytes.js'

describe('text documents of Office', () => {
  it('become Markdown, with headings, tables, notes and texts of any script', async () => {
    const cell = (text: string): string => `<w:tc>${paragraph(text)}</w:tc>`
    const table = `<w:tbl><w:tr>${cell('Name')}${cell('Sum')}</w:tr><w:tr>${cell('Ada | Bob')}${cell('12')}</w:tr></w:tbl>`
    const note = '<w:p><w:r><w:t>With a note</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>'
    const footnotes = `<w:footnotes xmlns:w="${word}"><w:footnote w:id="2">${paragraph('The note.')}</w:footnote></w:footnotes>`
    const body = `${paragraph('Report', 'Heading1')}${paragraph('日本語 مرحبا שלום')}${table}${note}`
    const { text, answer } = await readBytes(docxOf(body, { 'word/footnotes.xml': footnotes }), { name: 'wrong.pdf' })
    expect(text).to.match(/^# Report\n\n日本語 مرحبا שלום\n/)
    expect(text)
      .to.match(/\| Name \| Sum \|\n/)
      .and.to.match(/\| Ada \\\| Bob \| 12 +\|/)
    expect(text).to.contain('With a note[^1]').and.to.contain('The note.').and.not.to.contain('↑')
    expect(answer.mediaType).to.match(/wordprocessingml/)
    expect(answer.title).to.equal('Yearly report')
    expect(answer.details).to.include({ author: 'Ada' })
  })

  it('do without pictures, and without files that they name', async () => {
    const picture = `<w:p><w:r><w:drawing><wp:inline xmlns:wp="w"><a:blip xmlns:a="a" xmlns:r="r" r:link="x"/></wp:inline></w:drawing></w:r></w:p>`
    const links =
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="x" Type="image" Target="file:///etc/passwd" TargetMode="External"/></Relationships>'
    const { text } = await readBytes(docxOf(`${picture}${paragraph('Text')}`, { 'word/_rels/document.xml.rels': links }))
    expect(text).to.equal('Text')
  })
})

describe('workbooks', () => {
  const styles =
    '<numFmts><numFmt numFmtId="200" formatCode="yyyy\\-mm\\-dd&quot; h&quot;"/><numFmt numFmtId="201" formatCode="0&quot;days&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/><xf numFmtId="200"/><xf numFmtId="201"/></cellXfs>'

  it('become tables, with dates as dates', async () => {
    const texts = '<si><t>Name</t></si><si><r><t>日</t></r><r><t>本</t></r><rPh><t>にほん</t></rPh></si>'
    const data = [
      '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="inlineStr"><is><t>When</t></is></c><c r="D1" t="str"><v>x|y</v></c></row>',
      '<row r="2"><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45351</v></c><c r="C2" s="2"><v>45351.5</v></c><c r="D2" s="3"><v>1</v></c></row>',
      '<row r="9"><c r="A9" s="4"><v>7</v></c><c r="B9" t="b"><v>1</v></c><c r="C9"><f>A1+1</f></c><c r="D9" t="e"><v>#DIV/0!</v></c></row>',
    ]
    const { text, answer } = await readBytes(xlsxOf(data.join(''), { texts, styles }))
    expect(text.split('\n')).to.deep.equal([
      '## Sheet 1',
      '',
      '| Name | When |  | x\\|y |',
      '| --- | --- | --- | --- |',
      '| 日本 | 2024-02-29 | 2024-02-29 12:00:00 | 1900-01-01 |',
      '| 7 | TRUE | =A1+1 | #DIV/0! |',
    ])
    expect(answer.details).to.include({ sheets: '1' })
  })

  it('are read only as far as their text fits', async () => {
    const rows = `<row>${'<c><v>1</v></c>'.repeat(100)}</row>`.repeat(20_000)
    const { text, answer } = await readBytes(xlsxOf(rows), { maxCharacters: 5_000 })
    expect(text.length).to.be.within(4_990, 5_000)
    expect(answer.cut).to.equal(true)
  })

  it('leave out columns that are far to the right, and say so', async () => {
    const { text } = await readBytes(xlsxOf('<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'))
    expect(text).to.contain('| 1 |').and.to.contain('(Columns after the first 200 are left out.)')
  })
})

describe('presentations', () => {
  it('become a section for each slide, with tables and notes', async () => {
    const table =
      '<a:tbl><a:tr><a:tc><a:p><a:r><a:t>H1</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>H2</a:t></a:r></a:p></a:tc></a:tr></a:tbl>'
    const shapes = `${shapeOf('title', '第一')}${shapeOf('body', 'first', '\tinner')}${table}${shapeOf('sldNum', '1')}`
    const { text } = await readBytes(pptxOf(shapes, 'Speak slowly.'))
    expect(text.split('\n')).to.deep.equal([
      ...['## Slide 1: 第一', '', '- first', '  - inner', '| H1 | H2 |', '| --- | --- |', '', '', 'Notes: Speak slowly.'],
    ])
  })
})

describe('documents of LibreOffice', () => {
  it('become Markdown', async () => {
    const note =
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>the note</text:p></text:note-body></text:note>'
    const list =
      '<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>inner</text:p></text:list-item></text:list></text:list-item></text:list>'
    const body = `<office:text><text:h text:outline-level="2">Head</text:h><text:p>A<text:s text:c="2"/>B${note}</text:p>${list}<text:p>End<office:annotation><text:p>hidden</text:p></office:annotation></text:p></office:text>`
    const { text, answer } = await readBytes(openDocumentOf('text', body))
    expect(text).to.equal('## Head\n\nA  B [the note]\n\n- one\n  - inner\n\nEnd')
    expect(answer.title).to.equal('Plan')
    expect(answer.details).to.include({ author: 'Bob' })
  })

  it('become tables, whatever repetitions they claim', async () => {
    const cell = (text: string, attributes = ''): string => `<table:table-cell ${attributes}><text:p>${text}</text:p></table:table-cell>`
    const rows = [
      `${cell('a')}${cell('b', 'table:number-columns-repeated="2"')}<table:table-cell table:number-columns-repeated="999999999"/>`,
      `${cell('29.02.24', 'office:date-value="2024-02-29"')}`,
    ]
    const body = `<office:spreadsheet><table:table table:name="S1">${rows.map((row) => `<table:table-row table:number-rows-repeated="99999999">${row}</table:table-row>`).join('')}</table:table></office:spreadsheet>`
    const { text } = await readBytes(openDocumentOf('spreadsheet', body))
    expect(text).to.equal('## S1\n\n| a | b | b |\n| --- | --- | --- |\n| 2024-02-29 |  |  |')
  })

  it('become a section for each slide', async () => {
    const { text } = await readBytes(
      openDocumentOf('presentation', '<draw:page><text:p>One</text:p></draw:page><draw:page><text:p>Two</text:p></draw:page>'),
    )
    expect(text).to.equal('## Slide 1\n\nOne\n\n## Slide 2\n\nTwo')
  })
})

describe('electronic books', () => {
  it('become their chapters in order', async () => {
    const { text, answer } = await readBytes(epubOf(['<h1>One</h1><p>é &amp; ü</p>', '<h1>Two</h1>']))
    expect(text).to.equal('# One\n\né & ü\n\n# Two')
    expect(answer.title).to.equal('A book')
  })
})
