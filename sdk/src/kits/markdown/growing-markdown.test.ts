import { expect } from 'chai'
import fc from 'fast-check'
import { growingMarkdown, type MarkupNode, markdownMarkup, markupHtml, markupRules } from './index.js'

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const options = { breaks: true, maths: true } as const

const wholeHtml = (text: string): string => [...markdownMarkup(text, options)].map((nodes) => markupHtml(nodes)).join('')
const textOf = (nodes: readonly MarkupNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : node.name === 'br' ? '\n' : textOf(node.children))).join('')

/** Gives the text letter by letter, and at the end that it is whole; calls with each state. */
function grow(text: string, each: (nodes: readonly MarkupNode[], cut: number) => void = () => undefined): string {
  const growing = growingMarkdown(options)
  for (let cut = 0; cut <= text.length; cut += 1) {
    const { finished, open } = growing.read(text.slice(0, cut), true)
    each([...finished.flat(), ...open], cut)
  }
  return growing
    .read(text, false)
    .finished.map((nodes) => markupHtml(nodes))
    .join('')
}

const samples: readonly string[] = [
  'First **bold** and *slanted* and ~~gone~~ and `code` and ``a ` b`` words.\n\nNext **one\ntwo** end.',
  '# Title **bold**\n\ntext\n\n## Second\ntext under it\n\nSetext\n======\n\nOther\n---\nend',
  '- one\n- two **bold**\n  - deep `code`\n  - deeper\n- three\n\n- loose\n\n- looser\n\nend',
  '1. one\n2. two\n\n   more of two\n3. three\n\n10) ten\n11) eleven',
  '- [ ] open\n- [x] done **now**\n- [link](https://a.example/b) in it',
  '| a | b |\n|---|:-:|\n| 1 | **two** |\n| `x` | [y](https://a.example) |\n\nafter',
  'Text:\n| a | b |\n|---|---|\n| 1 | 2 |',
  '```ts\nconst a = `b`\n\nconst c = **d**\n```\n\ntext\n~~~\ncode\n~~~\nend',
  '1. do\n   ```sh\n   ls **x**\n   ```\n2. then\n\n   ~~~\n   y\n   ~~~\nend',
  '> quoted **bold\n> more** text\n>\n> - item\n\nend',
  'See [the text](https://a.example/x_y_z "title") and <https://b.example/_c_> and https://c.example/_d_e and ![picture](https://d.example/e.png).',
  'A [reference][one] and [another] and [none].\n\nText.\n\n[one]: https://a.example/1\n[another]: https://a.example/2\n\n[unused]: https://a.example/3',
  'H<sub>2</sub>O and <b>bold **more**</b> and <kbd>Ctrl</kbd><br>line &amp; &copy; &#8364; end',
  '<div>\n```\n\n```\n</div>\n\n<!-- a\n\nb -->\n\n<details>\n<summary>Sum</summary>\n\ninner\n\n</details>',
  'Maths $a_1^2$ and \\(b\\,c\\) and\n\n$$\n\\sum_{i}\n= x\n$$\n\nand \\[ y \\] costs $5 and $10.',
  'a\n\n    indented **code**\n\n    more\n\nb',
  '***both*** and **bold *inner* bold** and *slanted **inner** slanted* and **bold `code` bold**',
  'Line\\\nbreak and \\*no\\* emphasis and snake_case_word and 2 * 3 * 4 and a\\b',
  '---\n\n***\n\n- - -\ntext\n\n+ plus\n+ more\n* star',
  '- a\n\n- b\n\n\n- c\n\n1. d\n\n[x]: /y\n\n- e\n```\nf\n```\n- g',
  'שלום **עולם**\n\n- مرحبا\n- b\n\nemoji 👩‍👩‍👧 **👍🏽** end\r\nnext\r\n\r\nlast',
]

describe(`Markdown that grows (SEED=${seed})`, () => {
  it('ends as it is read in whole, wherever it was cut before', () => {
    for (const text of samples) expect(grow(text), text).to.equal(wholeHtml(text))
    const all = samples.filter((text) => !text.includes('<!--')).join('\n\n')
    expect(grow(all)).to.equal(wholeHtml(all))
  })

  it('ends as it is read in whole, whatever is in it', () => {
    const parts = [
      '\n',
      '\n\n',
      '- ',
      '1. ',
      '  ',
      '    ',
      '> ',
      '# ',
      '```\n',
      '~~~\n',
      '**',
      '*',
      '_',
      '`',
      '[a]',
      '[a]: /x\n',
      '| a | b |\n|---|---|\n',
      '| c |\n',
    ]
    const more = [
      '<div>',
      '</div>',
      '<!--',
      '-->',
      '<pre>',
      '</pre>',
      '---\n',
      '===\n',
      '$$',
      '\\[',
      '\\]',
      '$',
      'word ',
      'x',
      '\\',
      '\r\n',
      '\t',
      '[^1]',
      '<b>',
      '</b>',
      '&amp;',
    ]
    const text = fc.array(fc.constantFrom(...parts, ...more), { maxLength: 40 }).map((all) => all.join(''))
    fc.assert(
      fc.property(text, (markdown) => {
        expect(grow(markdown)).to.equal(wholeHtml(markdown))
      }),
      { seed, numRuns: 300 },
    )
  })

  it('ends as it is read in whole if a block is longer than what is read at once', () => {
    const long = [
      'words **and** more '.repeat(600),
      '- item **b**\n'.repeat(700),
      `- a\n${'  - b\n    - some words\n'.repeat(300)}`,
      `| a | b |\n|---|---|\n${'| some **words** | more words |\n'.repeat(400)}\nafter`,
      `1. a\n   ~~~js\n${'   line\n\n'.repeat(900)}   ~~~\n2. b`,
      `text\n\`\`\`js\n${'line\n\n'.repeat(1_500)}\`\`\`\nafter`,
      '> a\n>\n> b\n'.repeat(800),
      'line\n'.repeat(2_000),
      `${'word '.repeat(300)}\n\n`.repeat(12),
    ]
    for (const text of long) {
      const growing = growingMarkdown(options)
      for (let cut = 0; cut < text.length; cut += 97) growing.read(text.slice(0, cut), true)
      const html = growing.read(text, false).finished.map((nodes) => markupHtml(nodes))
      expect(html.join(''), text.slice(0, 40)).to.equal(wholeHtml(text))
    }
  })

  it('reads no finished piece again', () => {
    const growing = growingMarkdown(options)
    const before = growing.read('One **a**.\n\nTwo.\n\nThr', true)
    const after = growing.read('One **a**.\n\nTwo.\n\nThree.\n\nFo', true)
    expect(before.finished).to.not.have.length(0)
    for (const [index, nodes] of before.finished.entries()) expect(after.finished[index]).to.equal(nodes)
    const other = growing.read('Other **b**.', false)
    expect(markupHtml(other.finished.flat())).to.equal('<p dir="auto">Other <strong>b</strong>.</p>')
  })

  it('finds at the end what is defined late', () => {
    const text = 'A [word][late].\n\nText.\n\n[late]: https://a.example/\n'
    const growing = growingMarkdown(options)
    for (let cut = 0; cut <= text.length; cut += 1) growing.read(text.slice(0, cut), true)
    expect(markupHtml(growing.read(text, false).finished.flat())).to.equal(wholeHtml(text))
    expect(wholeHtml(text)).to.contain('<a')
  })

  it('takes definitions as they are read in whole, whatever stands before them', () => {
    const texts = [
      '[x]# h\n\n---\n[x]: http://h\n',
      '[^1][a]: /x\n~~~\n~~~\n> [a]: http://h\n',
      '> [x]: http://h\n\n- ~~~a: note\n[x]',
      '[x]\n\n- [x]: http://h\n\ntext\n\n[x]',
      '# h\n[x]: http://h\n\n[x]',
      '[x] and\n[x]: http://h\n\n[x]',
    ]
    for (const text of texts) expect(grow(text), text).to.equal(wholeHtml(text))
    expect(wholeHtml('# h\n[x]: http://h\n\n> [y]: http://k\n\n[x] [y]').match(/<a /g)).to.have.length(2)
  })

  // In these texts the letters are those of words alone, so that each other one that is shown is a mark.
  it('shows no mark of what is in it, at no cut, and all words but the last', () => {
    const marked = [
      'First **bold one** and *slanted* and ~~gone~~ and `code here` and ***both*** end',
      '# Title **bold**\n\ntext\n\n## Second *one*\ntext\n\nSetext\n===\n\nOther\n---\n\nend',
      '- one\n- two **bold**\n  - deep `code`\n  - deeper\n- three\n\nend',
      '* one\n* two\n\n+ plus\n+ more\n\n1) one\n2) two',
      '- [ ] open\n- [x] done **now**\n- [link](https://a.example/b) in it',
      '| a | b |\n|---|:-:|\n| one | **two** |\n| `x` | [y](https://a.example) |\n\nafter',
      '```ts\nword\n\nword\n```\n\ntext\n\n~~~\ncode\n~~~\n\nend',
      'so\n```js\nword\n```\nend',
      '- do\n  ```sh\n  word\n  ```\n- then',
      '> quoted **bold\n> more** text\n>\n> - item\n\nend',
      'See [the **bold** text](https://a.example/x "title") and ![picture](https://d.example/e) end',
      '<b>bold **more**</b> and H<sub>x</sub>O and <kbd>Ctrl</kbd> end',
      '**bold `code` bold** and *a **b** c* and **a *b* c** end',
      'text \\(b c\\) and\n\n$$\na\n$$\n\nend',
      'text\n\n---\n\ntext\n\n***\n\nend',
    ]
    for (const text of marked) {
      grow(text, (nodes, cut) => {
        const shown = textOf(nodes)
        expect(shown, `${JSON.stringify(text.slice(0, cut))} is shown as ${JSON.stringify(shown)}`).not.to.match(
          /[*_`~#|[\](){}<>$\\=!:"]|--|[+-]|^\d[.)]|\d\)/m,
        )
      })
    }
  })

  it('shows every word as soon as it is there', () => {
    for (const text of samples) {
      let most = 0
      grow(text, (nodes, cut) => {
        const shown = textOf(nodes).replace(/\W/g, '').length
        most = Math.max(most, shown)
        // What is taken back is an address, a tag or a language, which is no text.
        if (/^[\w\s.,]*$/.test(text.slice(Math.max(0, cut - 40), cut))) expect(shown).to.be.at.least(most - 40)
      })
    }
  })

  it('closes a few marks at a time: a text of nothing else takes no longer than others', () => {
    const depthOf = (nodes: readonly MarkupNode[]): number =>
      Math.max(0, ...nodes.map((node) => (typeof node === 'string' ? 0 : 1 + depthOf(node.children))))
    for (const mark of ['**a ', '_a __b ', '***a ', '*a **b _c ', '<b>a ']) {
      const { open } = growingMarkdown(options).read(mark.repeat(60), true)
      expect(depthOf(open), mark).to.be.at.least(5).and.at.most(18)
    }
    expect(textOf(growingMarkdown(options).read(`${'['.repeat(500)}a`, true).open)).to.equal(`${'['.repeat(300)}a`)
  })

  it('has only elements and attributes of the list at every cut', () => {
    const listed = (nodes: readonly MarkupNode[]): void => {
      for (const node of nodes) {
        if (typeof node === 'string') continue
        const rules = markupRules[node.name]
        expect(rules, node.name).to.not.equal(undefined)
        for (const [name, value] of Object.entries(node.attributes)) expect(value, name).to.match(rules[name] ?? /^$.^/)
        listed(node.children)
      }
    }
    const attacks = [
      ...samples,
      '<a class="scrim" href="https://evil.example/cover">x</a> <svg><style><img src=x onerror="act()"></style></svg>',
      '[a](javascript:act()) [b](data:text/html,x) ![c](https://t.example/q.gif "x" onload=y") <javascript:act()>',
      '```js" class="scrim\ncode\n```\n\n| <b class="scrim">x</b> | <br onclick="y"> |\n|---|---|\n| <input> | $<script>$ |',
    ]
    for (const text of attacks) grow(text, listed)
  })
})
