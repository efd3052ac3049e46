import { expect } from 'chai'
import { plainTextOf } from './plain-text.js'

describe('Markdown as plain text', () => {
  for (const [what, markdown, plain] of [
    ['emphasis', 'It is **very** _important_, ~~not~~ `so`.', 'It is very important, not so.'],
    ['headings', '# Invoices\n\n## May\nSeven.', 'Invoices\n\nMay\n\nSeven.'],
    ['lists', '- one\n- two\n  - three\n\n3. four\n4. five', '• one\n• two\n  • three\n\n3. four\n4. five'],
    ['tasks', '- [x] done\n- [ ] open', '• [x] done\n• [ ] open'],
    ['code', 'Run\n\n```sh\nrm *_a_* <b>\n```', 'Run\n\nrm *_a_* <b>'],
    ['links', 'See [the page](https://a.example/x) or <https://b.example>.', 'See the page (https://a.example/x) or https://b.example.'],
    ['bare addresses', 'https://a.example/?x=1&y=2 and me@a.example', 'https://a.example/?x=1&y=2 and me@a.example'],
    ['images', '![A cat](https://a.example/cat.png)', 'A cat (https://a.example/cat.png)'],
    ['tables', '| a | **b** |\n|---|---|\n| 1 | 2 |', 'a | b\n1 | 2'],
    ['quotations', '> one\n> two', '> one\n> two'],
    ['escapes and references', '1 \\* 2 &lt; 3 &amp; 4 &euro;', '1 * 2 < 3 & 4 &euro;'],
    ['HTML', 'a <b>c</b>\n\n<div>x</div>', 'a <b>c</b>\n\n<div>x</div>'],
    ['line ends', 'one  \ntwo\nthree', 'one\ntwo\nthree'],
    ['nothing', ' \n', ''],
  ] as const) {
    it(`keeps ${what} readable`, async () => expect(await plainTextOf(markdown)).to.equal(plain))
  }

  it('reads long texts in pieces, with code that goes over several of them', async () => {
    const code = Array.from({ length: 1_500 }, (_, index) => `line ${index}`).join('\n')
    const plain = await plainTextOf(`**Look**\n\n\`\`\`\n${code}\n\`\`\`\n\nIt is *done*.`)
    expect(plain).to.equal(`Look\n\n${code}\n\nIt is done.`)
  })

  it('is read within bounds when it is hostile', async () => {
    const hostile = ['> ', '- ', '1. ', '>', '[', '![', '*a ', '<', '`', '~', '\\', '&', '|', '[a](', '- > ', '\t']
    for (const mark of hostile) {
      const plain = await plainTextOf(mark.repeat(20_000 / mark.length))
      expect(plain.length, mark).to.be.at.most(41_000)
    }
  })
})
