import { expect } from 'chai'
import { type MarkdownHtmlOptions, type MarkupNode, markdownHtml, markupHtml } from './index.js'

const html = (markdown: string, options: Partial<MarkdownHtmlOptions> = {}): string =>
  [...markdownHtml(markdown, { breaks: true, ...options })].join('')
const line = (markdown: string): string => html(markdown).replace(/^<p dir="auto">(.*)<\/p>$/s, '$1')

/** How many elements are in each other. */
function depthOf(markup: string): number {
  let depth = 0
  let deepest = 0
  for (const [, slash, name] of markup.matchAll(/<(\/?)(\w+)/g)) {
    if (name !== 'br' && name !== 'hr') depth += slash === '/' ? -1 : 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

describe('foreign Markdown', () => {
  it('becomes headings, lists, tables, quotations and code', () => {
    expect(html('# A\n\n1. x\n2. **y**\n\n- [x] done\n- [ ] *open*\n\n`a<b`')).to.equal(
      '<h3 dir="auto">A</h3><ol dir="ltr"><li>x</li><li><strong>y</strong></li></ol>'.concat(
        '<ul dir="ltr"><li>☑ done</li><li>☐ <em>open</em></li></ul><p dir="auto"><code dir="auto">a&lt;b</code></p>',
      ),
    )
    expect(html('###### A')).to.equal('<h6 dir="auto">A</h6>')
    expect(html('7. a')).to.equal('<ol start="7" dir="ltr"><li>a</li></ol>')
    expect(html('> a\n\n---')).to.equal('<blockquote dir="ltr"><p dir="auto">a</p></blockquote><hr>')
    expect(html('|a|b|\n|-:|-|\n|1|2|', { around: { table: ['<div class="wide">', '</div>'] } })).to.equal(
      '<div class="wide"><table dir="ltr"><thead><tr><th dir="auto" align="right">a</th><th dir="auto">b</th></tr></thead>'.concat(
        '<tbody><tr><td dir="auto" align="right">1</td><td dir="auto">2</td></tr></tbody></table></div>',
      ),
    )
  })

  it('shows the ends of lines of messages, and fills those of documents', () => {
    expect(html('a\nb')).to.equal('<p dir="auto">a<br>b</p>')
    expect(html('a\nb', { breaks: false })).to.equal('<p dir="auto">a\nb</p>')
  })

  it('has a class for the language of code alone, and none for a name that is no language', () => {
    const classOf = (info: string): string | undefined => / class="([^"]*)"/.exec(html(`\`\`\`${info}\nx\n\`\`\``))?.[1]
    expect(['js', 'c++', 'c#', 'objective-c', 'js scrim', 'python{1,3}', 'ts:file.ts'].map(classOf)).to.deep.equal(
      ['js', 'c++', 'c#', 'objective-c', 'js', 'python', 'ts'].map((name) => `language-${name}`),
    )
    expect(['js" class="scrim', 'js&quot; x', '"', 'x'.repeat(33), '<b>', ''].map(classOf)).to.deep.equal(Array(6).fill(undefined))
  })

  it('keeps what else stands behind a fence, in one line of characters that are seen', () => {
    const infoOf = (info: string): string | undefined => / data-info="([^"]*)"/.exec(html(`\`\`\`${info}\nx\n\`\`\``))?.[1]
    expect(infoOf('py title="a.py"')).to.equal('py title=&quot;a.py&quot;')
    expect(infoOf('ts:größe.ts')).to.equal('ts:größe.ts')
    expect(['js', '', 'js a\u202eb', 'js a\u0007', `js ${'x'.repeat(160)}`].map(infoOf)).to.deep.equal(Array(5).fill(undefined))
  })

  it('shows tags as text, but for those without attributes that only change how a text looks', () => {
    expect(line('H<sub>2</sub>O, x<SUP>2</SUP>, <kbd>Ctrl</kbd> <b>**a** *b*</b><br/>c')).to.equal(
      'H<sub>2</sub>O, x<sup>2</sup>, <kbd>Ctrl</kbd> <b><strong>a</strong> <em>b</em></b><br>c',
    )
    expect(line('<b >b</b >')).to.equal('<b>b</b>')
    expect(line('<b class="scrim">a</b>')).to.equal('&lt;b class=&quot;scrim&quot;&gt;a&lt;/b&gt;')
    expect(line('<b>a <i>b</b> c</i> <u>d')).to.equal('<b>a &lt;i&gt;b</b> c&lt;/i&gt; &lt;u&gt;d')
    expect(line(`${'<b>'.repeat(9)}a${'</b>'.repeat(9)}`)).to.equal(`${'<b>'.repeat(8)}&lt;b&gt;a${'</b>'.repeat(8)}&lt;/b&gt;`)
    expect(line('a <!-- b --> <input> <script>c</script>')).to.equal('a &lt;!-- b --&gt; &lt;input&gt; &lt;script&gt;c&lt;/script&gt;')
    expect(html('<details>\n<summary>A &amp; B</summary>\n\nc\n\n</details>\n')).to.equal(
      '<p dir="auto"><strong>A &amp; B</strong></p><p dir="auto">c</p>',
    )
    expect(html('<div class="scrim">\na &lt;\n</div>')).to.equal(
      '<p dir="auto">&lt;div class=&quot;scrim&quot;&gt;<br>a &lt;<br>&lt;/div&gt;</p>',
    )
    expect(html('|a|\n|-|\n|<ul><li>b</li><li>c</li></ul>|')).to.contain('<td dir="auto">• b<br>• c</td>')
  })

  it('reads the references of HTML in text, and none in code', () => {
    expect(line('&copy; &mdash; &#8364; &#x20AC; &unknown; &#0; &#xD800;')).to.equal('© — € € &amp;unknown; \u{fffd} \u{fffd}')
    expect(line('a&#13;b')).to.equal('a\nb')
    expect(line('<u>&#13;</u>&#62;')).to.equal('<u>\n</u>&gt;')
    expect(line('`&copy;` \\&copy;')).to.equal('<code dir="auto">&amp;copy;</code> &amp;copy;')
    expect(line('&lt;script&gt;')).to.equal('&lt;script&gt;')
  })

  it('has no characters that override the direction of a text, and names all that change it in code', () => {
    expect(line('pay \u202e001\u202c EUR &#x202d;a')).to.equal('pay 001\u202c EUR a')
    expect(html('<div>\u202ea</div>\n\n- \u202eb\n\n![\u202ec](x)')).not.to.match(/[\u202d\u202e]/)
    expect(line('\u2067שלום\u2069')).to.equal('\u2067שלום\u2069')
    expect(line('`a\u202eb\u2066` <code>c\u202d</code>')).to.equal('<code dir="auto">a[U+202E]b[U+2066]</code> <code>c[U+202D]</code>')
    expect(html('```\na\u202eb\n```')).to.equal('<pre><code>a[U+202E]b\n</code></pre>')
    expect(html('a\u202eb', { maxFormatted: 0 })).to.equal('<pre dir="auto">ab</pre>')
  })

  it('gives lists, quotations and tables the direction of their first letter', () => {
    expect(html('- שלום\n- b')).to.contain('<ul dir="rtl">')
    expect(html('> مرحبا')).to.contain('<blockquote dir="rtl">')
    expect(html('- 1')).to.equal('<ul><li>1</li></ul>')
  })

  // Each takes some milliseconds; in whole it would take minutes.
  it('shows what is nested too deeply as it was written, in time in proportion to its length', () => {
    const deep = [
      '>'.repeat(70_000),
      '['.repeat(80_000),
      '**a _b '.repeat(10_000),
      `x${'y'.repeat(1_000_000)}`,
      '> '.repeat(20_000),
      '<b>'.repeat(20_000),
    ]
    for (const text of deep) expect(html(text).length).to.be.greaterThan(text.length / 2)
    const list = Array.from({ length: 60 }, (_, depth) => `${'  '.repeat(depth)}- word${depth}.`).join('\n')
    for (let depth = 0; depth < 60; depth += 1) expect(html(list)).to.contain(`word${depth}.`)
    expect(depthOf(html('> '.repeat(1_000)))).to.be.within(20, 40)
    expect(depthOf(html(`${'*a _b '.repeat(100)}${'b_ a* '.repeat(100)}`))).to.be.within(20, 40)
  })

  it('takes so many marks of emphasis in one paragraph, and shows the others as they were written', () => {
    const bold = html('**a** '.repeat(300))
    expect(bold.match(/<strong>/g)).to.have.length(125)
    expect(bold).to.contain('**a** **a**')
    expect(html('**a** '.repeat(100).concat('\n\n').repeat(4)).match(/<strong>/g)).to.have.length(400)
  })

  it('shows what is beyond a length as it was written, but for fenced code', () => {
    const text = `${'**a** b\n\n'.repeat(1_000)}\`\`\`js\n${'**c**\n'.repeat(5_000)}\`\`\`\n\n${'**d**\n\n'.repeat(1_000)}`
    const shown = html(text, { maxFormatted: 4_000 })
    expect(shown.match(/<strong>a<\/strong>/g)?.length).to.be.within(200, 450)
    expect(shown.match(/a/g)?.length).to.be.at.least(1_000)
    expect(shown).to.match(/<pre dir="auto">(?:\*\*a\*\* b\n+)+<\/pre><pre><code class="language-js">(?:\*\*c\*\*\n){5000}<\/code><\/pre>/)
    expect(shown).to.match(/<\/pre><pre dir="auto">(?:\*\*d\*\*\n*){1000}<\/pre>$/)
    expect(html(text, { maxFormatted: text.length })).to.equal(html(text))
  })

  it('shows as it was written what the stack has no room for', () => {
    expect(html('>'.repeat(3_900))).to.equal(`<p dir="auto">${'&gt;'.repeat(3_900)}</p>`)
  })

  it('keeps fenced code whole, whatever its length', () => {
    const code = 'line\n\n'.repeat(20_000)
    const shown = html(`${'word\n\n'.repeat(1_500)}\`\`\`js\n${code}\`\`\`\n\n~~~\n${code}`)
    expect(shown.match(/<code class="language-js">(?:line\n+){20000}<\/code>/g)).to.have.length(1)
    expect(shown.match(/<code>(?:line\n+){20000}<\/code>/g)).to.have.length(1)
    const listed = `1. a\n   ~~~js\n${'   line\n\n'.repeat(2_000)}   ~~~\n2. b`
    for (const text of [listed, listed.replaceAll('\n', '\r\n')])
      expect(html(text)).to.match(
        /^<ol dir="ltr"><li>a<\/li><\/ol><pre><code class="language-js">(?:line\n+){2000}<\/code><\/pre><ol start="2"/,
      )
    expect(html(`\`\`\`a\`\`\` b\n\n${'# c\n\n'.repeat(2_000)}`).match(/<h3/g)).to.have.length(2_000)
    expect(html(`a\n\n\`\`\`js\n${'x\n'.repeat(3_000)}`)).to.match(/^<p dir="auto">a<\/p><pre><code class="language-js">/)
  })

  it('cuts a long table between its rows, with its head in each part, and other texts between lines and words', () => {
    const table = html(`| a | b |\n|---|---|\n${'| some words | more words |\n'.repeat(1_000)}`)
    expect(table.match(/<td dir="auto">some words<\/td>/g)).to.have.length(1_000)
    expect(table.match(/<table/g)?.length)
      .to.be.above(1)
      .and.equal(table.match(/<th dir="auto">a<\/th>/g)?.length)
    expect(html('- [x](https://a.example) words\n'.repeat(1_000)).match(/<li>/g)).to.have.length(1_000)
    const nested = html(`- a\n${'  - b\n    - some words\n'.repeat(1_000)}`)
    expect(nested.match(/<li>some words/g)).to.have.length(1_000)
    expect(nested).not.to.contain('<pre')
    expect(html('words '.repeat(5_000)).match(/words/g)).to.have.length(5_000)
  })

  it('writes no element and no attribute beyond the list, whatever nodes it is given', () => {
    const hostile = [
      { name: 'script', attributes: {}, children: ['alert(1)'] },
      { name: 'p', attributes: { class: 'scrim', onclick: 'x', dir: 'auto', constructor: 'x' }, children: ['a'] },
      { name: 'a', attributes: { href: 'javascript:x', target: 'name', rel: 'opener' }, children: ['b'] },
      { name: 'constructor', attributes: {}, children: ['c'] },
      { name: 'code', attributes: { class: 'language-x scrim' }, children: ['d'] },
    ] as unknown as readonly MarkupNode[]
    expect(markupHtml(hostile)).to.equal('alert(1)<p dir="auto">a</p><a>b</a>c<code>d</code>')
  })
})
