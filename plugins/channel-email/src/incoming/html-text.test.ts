import { expect } from 'chai'
import { htmlText } from './html-text.js'

describe('the text of an HTML mail', () => {
  it('has blocks, lists, tables, breaks and links as people read them', async () => {
    const html = `<html><head><title>t</title><style>p{}</style></head><body><h1>Plan</h1><p>One&nbsp;&amp; two<br>three</p>
      <ol><li>a</li><li><p>b</p></li></ol><table><tr><td>x</td><td>y</td></tr></table>
      <a href="https://x.example/a">https://x.example/a</a> <a href="javascript:x()">click</a> <a href='mailto:a@b.example'>Ann</a>
      <pre>  code\n    more</pre></body></html>`
    expect(await htmlText(html)).to.equal(
      'Plan\n\nOne & two\nthree\n\n- a\n- b\n\nx y\n\nhttps://x.example/a click Ann (mailto:a@b.example)\n\n  code\n    more',
    )
  })

  it('leaves out what people do not see', async () => {
    const html = `a<script>b</script><span hidden>c</span><div style="color:red; display : none">d<p>e</p></div><p style="font-size:0">f</p><!-- g -->h`
    expect(await htmlText(html)).to.equal('ah')
    expect(await htmlText('<p style="font-size:0.9em">seen</p>')).to.equal('seen')
  })

  it('leaves out the mail that is answered, if it is to', async () => {
    const marked = [
      '<p>Yes.</p><div class="gmail_quote">On Monday she wrote:<blockquote>Shall I?</blockquote></div>',
      '<p>Yes.</p><div class="moz-cite-prefix">On Monday:</div><blockquote type="cite">Shall I?</blockquote>',
      '<p>Yes.</p><div id="appendonsend"></div><hr><div id="divRplyFwdMsg">From: x</div><div>Shall I?</div>',
    ]
    for (const html of marked) {
      expect(await htmlText(html, { dropsHistory: true })).to.equal('Yes.')
      expect(await htmlText(html)).to.include('Shall I?')
    }
  })

  it('lets other work of the process go on while it reads a long one', async () => {
    for (const piece of ['<p>x</p>', '&amp;', '<', '</a>x', '<a href=http://x.example>y</a>']) {
      let turns = 0
      const work = htmlText(piece.repeat(1_000_000 / piece.length))
      for (let isDone = false; !isDone; turns += 1)
        isDone = await Promise.race([work.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))])
      expect(turns, piece).to.be.above(10)
    }
  })
})
