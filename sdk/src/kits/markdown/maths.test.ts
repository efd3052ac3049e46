import { expect } from 'chai'
import { markdownHtml } from './index.js'

const html = (markdown: string, maths = true): string => [...markdownHtml(markdown, { breaks: true, maths })].join('')
const line = (markdown: string, maths = true): string => html(markdown, maths).replace(/^<p dir="auto">(.*)<\/p>$/s, '$1')
const inline = (source: string): string => `<code class="math-inline">${source}</code>`
const display = (source: string): string => `<code class="math-display">${source}</code>`

describe('maths in Markdown', () => {
  it('is what stands between its marks, to the letter', () => {
    expect(line('a $x_1^2$ b \\(y\\,z\\) c')).to.equal(`a ${inline('x_1^2')} b ${inline('y\\,z')} c`)
    expect(line('so $$\\sum_{i=1}^n *a* _b_$$ and \\[ \\begin{a}1 \\\\ 2\\end{a} \\]')).to.equal(
      `so ${display('\\sum_{i=1}^n *a* _b_')} and ${display('\\begin{a}1 \\\\ 2\\end{a}')}`,
    )
    expect(line('the $n$th of $\\$5$')).to.equal(`the ${inline('n')}th of ${inline('\\$5')}`)
    expect(line('*a $b*c$ d*, $a_1$ and $b_1$')).to.equal(`<em>a ${inline('b*c')} d</em>, ${inline('a_1')} and ${inline('b_1')}`)
    expect(line('$a < b$')).to.equal(inline('a &lt; b'))
  })

  it('is a block of its own where it stands alone, whatever begins its lines', () => {
    expect(html('so:\n$$\na\n=\n- b\n$$\nend')).to.equal(`<p dir="auto">so:</p><p>${display('a\n=\n- b')}</p><p dir="auto">end</p>`)
    expect(html('1. x\n\n   \\[\n   y\n   \\]\n2. z')).to.contain(`<p>${display('y')}</p>`)
    expect(html('$$a\n\nb$$')).to.equal('<p dir="auto">$$a</p><p dir="auto">b$$</p>')
  })

  it('is no amount of money, no path, no escape and no code', () => {
    for (const text of ['costs $5 and $10', 'US$5, A$6', '$5-$10', '$ a $', 'C:\\(x86)', 'a $', '$$', '$$$$'])
      expect(line(text)).not.to.contain('<code')
    expect(line('\\$a$ \\\\(b\\\\) \\*c\\*')).to.equal('$a$ \\(b\\) *c*')
    expect(line('`$x$ \\(y\\)`')).to.equal('<code dir="auto">$x$ \\(y\\)</code>')
    expect(html('```\n$$x$$\n```')).to.equal('<pre><code>$$x$$\n</code></pre>')
  })

  it('is text unless it is wanted', () => {
    expect(line('$x$ and $$y$$', false)).to.equal('$x$ and $$y$$')
  })
})
