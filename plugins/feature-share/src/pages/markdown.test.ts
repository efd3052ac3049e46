import { expect } from 'chai'
import { htmlOf } from './markdown.js'

const html = (markdown: string): string => [...htmlOf(markdown)].join('')

describe('shared Markdown', () => {
  it('becomes headings, lists, tables, code and links', () => {
    expect(html('# A\n\n1. x\n2. **y**\n\n- [x] done\n\n`a<b`\n\n[m](https://x.org/?a=1&b="2")')).to.equal(
      '<h3 dir="auto">A</h3><ol><li dir="auto">x</li><li dir="auto"><strong>y</strong></li></ol><ul><li dir="auto">☑ done</li></ul>'.concat(
        '<p dir="auto"><code>a&lt;b</code></p>',
        '<p dir="auto"><a href="https://x.org/?a=1&amp;b=%222%22" rel="noopener noreferrer nofollow">m</a></p>',
      ),
    )
    expect(html('|a|b|\n|-|-|\n|1|2|')).to.contain('<td dir="auto">1</td>')
    expect(html('```js\n<script>\n```')).to.contain('<pre><code>&lt;script&gt;\n</code></pre>')
  })

  it('has no HTML of its own, no other addresses, and requests nothing', () => {
    const hostile = [
      ...['<script>alert(1)</script>', '<img src=x onerror=alert(1)>', '<svg/onload=alert(1)>', '<a href="javascript:alert(1)">x</a>'],
      ...['[x](javascript:alert(1))', '[x](JaVaScRiPt:alert(1))', '[x](data:text/html,<script>)', '[x](vbscript:x)', '[x](/api/auth/me)'],
      ...['![x](https://evil.example/x.png)', '![x](javascript:alert(1))', '[![x](https://evil.example/a)](https://evil.example/b)'],
      ...[
        '<javascript:alert(1)>',
        '[x]: javascript:alert(1)\n\n[x]',
        '`<img src=x>`',
        '&lt;script&gt;',
        '"><script>',
        '[x](https://a/"onclick=alert(1)//)',
      ],
    ]
    for (const text of hostile) {
      const tags = html(text).match(/<[^>]*>/g) ?? []
      for (const tag of tags)
        expect(tag, text).to.match(
          /^<(\/?(p|a|h[3-6]|strong|em|code|pre|ul|ol|li)|a href="https:\/\/[^"<>]*" rel="noopener noreferrer nofollow"|(p|pre|li|h[3-6]) dir="auto")>$/,
        )
      expect(tags.filter((tag) => tag.startsWith('<a ')).length, text).to.be.at.most(1)
    }
  })

  // Each takes a few milliseconds; a quadratic one would take minutes.
  it('shows what is nested too deeply or too long as it was written', () => {
    for (const text of [
      '>'.repeat(7_000),
      '- '.repeat(4_000),
      '['.repeat(8_000),
      '**a _b '.repeat(1_000),
      `x${'y'.repeat(100_000)}`,
      '> '.repeat(20_000),
    ])
      expect(html(text).length).to.be.greaterThan(text.length / 2)
  })

  it('keeps fenced code whole where it cuts long texts', () => {
    const code = `\`\`\`\n${'line\n\n'.repeat(1_100)}\`\`\``
    expect(html(`${'word\n\n'.repeat(1_500)}${code}`).match(/<pre><code>/g)).to.have.length(1)
  })
})
