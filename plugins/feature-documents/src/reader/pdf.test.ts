import { expect } from 'chai'
import { pdfOf, pdfOfLines, printedPage } from '../test-support/pdf-file.js'
import { failureOf, readBytes } from '../test-support/read-bytes.js'

describe('PDFs', () => {
  it('become the text of their pages', async () => {
    const { text, answer } = await readBytes(pdfOfLines('Hello world', 'Second line'), { name: 'x.txt' })
    expect(text).to.equal('Hello world\nSecond line')
    expect(answer.mediaType).to.equal('application/pdf')
    expect(answer.details).to.include({ pages: '1' })
  })

  it('of a browser have their pages, tables and texts from right to left', async () => {
    const { text, answer } = await readBytes(
      await printedPage(
        '<html><head><meta charset="utf-8"><title>Report</title></head><body><h1>Annual report</h1><p>Office affluent</p><p dir="rtl">שלום עולם</p><p dir="rtl">مرحبا بالعالم</p><table><tr><th>Name</th><th>Sum</th></tr><tr><td>Ada</td><td>12</td></tr></table><div style="break-before: page">Page two</div></body></html>',
      ),
    )
    expect(text)
      .to.match(/^\[Page 1\]\n\nAnnual report\n/)
      .and.to.match(/\[Page 2\]\n\nPage two$/)
    expect(text)
      .to.contain('Office affluent')
      .and.to.contain('שלום עולם')
      .and.to.contain('مرحبا بالعالم')
      .and.to.match(/Name +Sum\nAda +12/)
    expect(answer.title).to.equal('Report')
  })

  it('that are encrypted say so', async () => {
    const bytes = pdfOf('<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[]/Count 0>>')
    const key = '<'.concat('41'.repeat(32), '>')
    const encrypted = Buffer.from(bytes)
      .toString('latin1')
      .replace('/Root 1 0 R', `/Root 1 0 R/ID[<00><00>]/Encrypt<</Filter/Standard/V 2/R 3/Length 128/P -4/O${key}/U${key}>>`)
    expect(await failureOf(Buffer.from(encrypted, 'latin1'))).to.deep.equal({
      outcome: 'unreadable',
      mediaType: 'application/pdf',
      reason: 'it is protected by a password',
    })
  })
})
