import { expect } from 'chai'
import fc from 'fast-check'
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5'
import { type MarkupNode, markdownMarkup, markupHtml, markupRules } from './index.js'

const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const settings = { seed, numRuns: 400 }

const fragments = [
  ...[
    '<',
    '>',
    '&',
    '"',
    "'",
    '`',
    '```',
    '~~~',
    '*',
    '**',
    '_',
    '~~',
    '[',
    ']',
    '(',
    ')',
    '![',
    '](',
    '|',
    '\n',
    '\n\n',
    '    ',
    '- ',
    '1. ',
  ],
  ...[
    '> ',
    '# ',
    '---',
    '\\',
    ':',
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '<?',
    '&lt;',
    '&#60;',
    '&#x202e;',
    '&#13;',
    '\u202e',
    '\0',
    '\r',
    '\u2028',
  ],
  ...['<a class="scrim" href="', '<svg><style>', '</style>', '<math><mtext>', '<table>', '<mglyph>', '<b>', '</b>', '<br>', '<li>', '<ul>'],
  ...['<p>', '</p>', '<form>', '<input>', '<noscript>', '<template>', '<textarea>', '</title>', '<select>', '<details>', '</details>'],
  ...[
    'javascript:alert(1)',
    'https://evil.example/',
    '//x',
    'mailto:a@b.c',
    'class="scrim"',
    'onclick=x',
    'js" class="x',
    '|-|-|',
    '[^1]',
    '[x]: ',
  ],
]
const anyMarkdown = fc
  .array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 40 })
  .map((parts) => parts.join(''))

/** Nodes as a parser of HTML makes them: neighbouring texts are one. */
type Shape = string | { readonly name: string; readonly attributes: Readonly<Record<string, string>>; readonly children: readonly Shape[] }

function joined(shapes: readonly Shape[]): readonly Shape[] {
  const all: Shape[] = []
  for (const shape of shapes) {
    const last = all.at(-1)
    if (typeof shape === 'string' && typeof last === 'string') all[all.length - 1] = last + shape
    else if (shape !== '') all.push(shape)
  }
  return all
}
const shapesOf = (nodes: readonly MarkupNode[]): readonly Shape[] =>
  joined(nodes.map((node) => (typeof node === 'string' ? node : { ...node, children: shapesOf(node.children) })))

function parsedShapes(nodes: readonly DefaultTreeAdapterTypes.ChildNode[]): readonly Shape[] {
  return joined(
    nodes.map((node) => {
      if ('value' in node) return node.value
      if (!('tagName' in node)) return { name: node.nodeName, attributes: {}, children: [] }
      const attributes = Object.fromEntries(node.attrs.map(({ name, value }) => [name, value]))
      return { name: node.tagName, attributes, children: parsedShapes(node.childNodes) }
    }),
  )
}

function expectListed(shapes: readonly Shape[]): void {
  for (const shape of shapes) {
    if (typeof shape === 'string') continue
    expect(Object.keys(markupRules)).to.contain(shape.name)
    const rules = markupRules[shape.name as keyof typeof markupRules]
    for (const [name, value] of Object.entries(shape.attributes)) expect(value, `${shape.name} ${name}`).to.match(rules[name] ?? /^$.^/)
    expectListed(shape.children)
  }
}

const textOf = (shapes: readonly Shape[]): string =>
  shapes.map((shape) => (typeof shape === 'string' ? shape : textOf(shape.children))).join('')

/** Blocks in which each word is text, with markup of an attacker around it. */
const hostileTags = fc.constantFrom(
  ...[
    '<a class="scrim">',
    '</a>',
    '<input>',
    '<b>',
    '</b>',
    '<i class=x>',
    '<svg>',
    '<style>',
    '</style>',
    '<script>',
    '</script>',
    '<br>',
  ],
  ...[
    '<!-- c -->',
    '<li>',
    '<sub>',
    '</sub>',
    '<details>',
    '<kbd>',
    '<code>',
    '<base href=//x>',
    '<form action=//x>',
    '<img src=x onerror=y>',
  ],
)
const hrefs = fc.constantFrom('https://evil.example/a', 'javascript:alert(1)', '/api/x', '//h', 'mailto:a@b.example', 'data:x', '#f', '')
const wordAs = fc.oneof(
  fc.constantFrom<(word: string) => string>(
    (word) => word,
    (word) => `**${word}**`,
    (word) => `*${word}*`,
    (word) => `~~${word}~~`,
    (word) => `\`${word}\``,
    (word) => `\u202e${word}`,
  ),
  hrefs.map((href) => (word: string) => `[${word}](${href})`),
  hrefs.map((href) => (word: string) => `![${word}](${href})`),
  hostileTags.map((tag) => (word: string) => `${tag} ${word}`),
  hostileTags.map((tag) => (word: string) => `${word} ${tag}`),
)
const blockAs = fc.constantFrom<(text: string) => string>(
  (text) => text,
  (text) => `## ${text}`,
  (text) => `- ${text}`,
  (text) => `3. [ ] ${text}`,
  (text) => `> > ${text}`,
  (text) => `| ${text} | x |\n|---|:-:|\n| ${text} | y |`,
  (text) => `\`\`\`js" class="scrim\n${text}\n\`\`\``,
  (text) => `<div class="scrim">\n${text}\n</div>`,
  (text) => `${'> '.repeat(40)}${text}`,
)
const worded = fc
  .array(fc.tuple(blockAs, fc.array(wordAs, { minLength: 1, maxLength: 5 })), { minLength: 1, maxLength: 8 })
  .map((blocks) => {
    const words: string[] = []
    const next = (): string => {
      words.push(`w${words.length}w`)
      return words.at(-1) ?? ''
    }
    const texts = blocks.map(([block, parts]) =>
      block(
        parts
          .map((as) => as(next()))
          .join(' ')
          .trim(),
      ),
    )
    return { text: texts.join('\n\n'), words }
  })

describe(`any Markdown (SEED=${seed})`, () => {
  it('has only elements and attributes of the list, and a parser of HTML makes the same nodes of it', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyMarkdown,
          worded.map(({ text }) => text),
        ),
        fc.boolean(),
        (markdown, breaks) => {
          for (const nodes of markdownMarkup(markdown, { breaks })) {
            const parsed = parsedShapes(parseFragment(markupHtml(nodes)).childNodes)
            expectListed(parsed)
            expect(parsed).to.deep.equal(shapesOf(nodes))
          }
        },
      ),
      settings,
    )
  })

  it('keeps every word that is no markup', () => {
    fc.assert(
      fc.property(worded, ({ text, words }) => {
        const html = [...markdownMarkup(text, { breaks: true })].map((nodes) => markupHtml(nodes)).join('')
        const shown = textOf(parsedShapes(parseFragment(html).childNodes))
        expect(words.filter((word) => !shown.includes(word))).to.deep.equal([])
      }),
      settings,
    )
  })
})
