import { expect } from 'chai'
import { growingMarkdown, markdownHtml, markupHtml } from './index.js'

const options = { breaks: true, footnotes: 'text-1' } as const
const html = (markdown: string): string => [...markdownHtml(markdown, options)].join('')
const link = (number: number, isFirst = true): string =>
  `<sup><a href="#text-1-note-${number}"${isFirst ? ` id="text-1-note-ref-${number}"` : ''}>${number}</a></sup>`
const back = (number: number): string => `<a href="#text-1-note-ref-${number}">↩</a>`

describe('footnotes in Markdown', () => {
  it('stand below the text, numbered in the order in which it refers to them, with links to both sides', () => {
    expect(html('A[^b] and[^a], again[^b].\n\n[^a]: One.\n[^b]: **Two**\n  lines.\n\n    And more.\n\nEnd.')).to.equal(
      `<p dir="auto">A${link(1)} and${link(2)}, again${link(1, false)}.</p><p dir="auto">End.</p><hr><ol>`.concat(
        `<li id="text-1-note-1"><p dir="auto"><strong>Two</strong><br>lines.</p><p dir="auto">And more. ${back(1)}</p></li>`,
        `<li id="text-1-note-2"><p dir="auto">One. ${back(2)}</p></li></ol>`,
      ),
    )
  })

  it('are text if they are not defined, not referred to, in code, or not wanted', () => {
    expect(html('A[^a]\n\n[^b]: c\n\n`[^b]:`\n\n```\n[^a]: d\n```')).to.equal(
      '<p dir="auto">A[^a]</p><p dir="auto">[^b]: c</p><p dir="auto"><code dir="auto">[^b]:</code></p><pre><code>[^a]: d\n</code></pre>',
    )
    expect([...markdownHtml('A[^a]\n\n[^a]: b c', { breaks: true })].join('')).not.to.contain('<ol')
  })

  it('have no id that their writer chose', () => {
    const shown = html('A[^main] B[^x"onclick=y] <a id="text-1-note-1">c</a>\n\n[^main]: d\n[^x"onclick=y]: e')
    expect([...shown.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)).to.deep.equal([
      'text-1-note-ref-1',
      'text-1-note-ref-2',
      'text-1-note-1',
      'text-1-note-2',
    ])
  })

  it('are the same at the end of a text that grew', () => {
    for (const text of [
      'A[^b] and[^a].\n\nMore[^c].\n\n[^a]: One.\n[^b]: Two.\n\n    Second.\n\n[^c]: Three\nlines\n',
      '[^a]: First.\n\nThen[^b] and[^a] and[^none].\n\n- x[^b]\n\n[^b]: Last',
    ]) {
      const growing = growingMarkdown(options)
      for (let cut = 0; cut <= text.length; cut += 1) {
        const { finished, open } = growing.read(text.slice(0, cut), true)
        expect(markupHtml([...finished.flat(), ...open])).not.to.match(/\[\^[^\]]*$/)
      }
      expect(markupHtml(growing.read(text, false).finished.flat())).to.equal(html(text))
    }
  })
})
