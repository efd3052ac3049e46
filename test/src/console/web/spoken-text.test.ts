import { markdownMarkup } from '@agent-service/sdk/markdown'
import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'

interface SpeechModules {
  readonly spokenBlocks: (
    markdown: string,
    words: { readonly code: (lines: number) => string; readonly formula: string },
    parse: typeof markdownMarkup,
  ) => readonly string[]
  readonly sentencesOf: (texts: readonly string[], language: string, maxLength: number) => readonly string[]
  readonly languageOfText: (text: string, own: string) => string
  readonly createDictatedText: (field: object, onChange: () => void) => { readonly hear: (results: readonly string[]) => boolean }
}

const words = { code: (lines: number) => `Code, ${lines} lines.`, formula: 'formula' }

describe('what is read aloud of an answer', () => {
  let web: SpeechModules
  before(async () => {
    web = await runWebModules<SpeechModules>([
      'plugins/feature-agents/web/turns/reading/spoken-text.ts',
      'plugins/feature-agents/web/turns/reading/text-language.ts',
      'plugins/feature-agents/web/composer/dictation/dictated-text.ts',
    ])
  })
  const blocks = (markdown: string) => [...web.spokenBlocks(markdown, words, markdownMarkup)]

  it('is its words: no marks, no addresses, no emoji', () => {
    expect(
      blocks('# A **bold** title 🎉\n\nSee [the page](https://a.example/x?y=1) 👩‍👩‍👧, or https://www.b.example/long/path. ✅'),
    ).to.deep.equal(['A bold title', 'See the page , or b.example. '.trim()])
    expect(blocks('- [x] done\n- [ ] open\n  - below `it`\n\n> quoted\n\n---\n\n1️⃣ one 🇦🇹 #1 © 2026')).to.deep.equal([
      'done',
      'open',
      'below it',
      'quoted',
      'one #1 © 2026',
    ])
  })

  it('names code by its lines, reads tables row by row, and formulas if they are words', () => {
    expect(blocks('Run:\n\n```js\nconst a = 1\n\nb()\n```\n\nand $x = 2$, not $\\frac{1}{2}$:\n\n$$\n\\sum_i i\n$$')).to.deep.equal([
      'Run:',
      'Code, 3 lines.',
      'and x = 2, not formula:',
      'formula',
    ])
    expect(blocks('| Name | Sum |\n|-|-|\n| [Ada](https://a.example) | 3 |\n| | 4 |')).to.deep.equal(['Name, Sum', 'Ada, 3', '4'])
    expect(blocks('A claim[^1].\n\n[^1]: The source.')).to.deep.equal(['A claim.', 'The source.'])
  })

  it('is nothing of what only looks like markup, and nothing without words', () => {
    expect(blocks('<script>act()</script> & <b>loud</b>')[0]).to.include('loud')
    expect(blocks('🎉🎉\n\n---\n\n***\n\n→')).to.deep.equal([])
    expect(blocks('```\nnever closed')).to.deep.equal(['Code, 1 lines.'])
    expect(blocks('[x](javascript:alert(1)) ![](data:image/png;base64,AAAA)')[0]).to.match(/^x/)
  })

  it('is cut into sentences that no engine cuts, without loss', () => {
    expect([...web.sentencesOf(['One. Two? 3.5 is three.', 'Four\nfive'], 'en', 160)]).to.deep.equal([
      'One.',
      'Two?',
      '3.5 is three.',
      'Four',
      'five',
    ])
    const long = Array.from({ length: 120 }, (_, index) => `word${index}${index % 9 === 8 ? ',' : ''}`).join(' ')
    const pieces = web.sentencesOf([long], 'en', 160)
    expect(pieces.join(' ')).to.equal(long)
    expect(Math.max(...pieces.map(({ length }) => length))).to.be.at.most(160)
    const dense = '𝒜'.repeat(301)
    const cut = web.sentencesOf([dense], 'en', 161)
    expect(cut.join('')).to.equal(dense)
    expect(cut.every((piece) => encodeURIComponent(piece) !== '')).to.equal(true)
  })

  it('is in the language of the person unless the text plainly has another', () => {
    const english = 'The answer is that the house of the king is not for you and it is with this that you are.'
    const german = 'Das Haus ist nicht groß, und der Garten wird auch mit den Bäumen nicht für dich sein.'
    expect(web.languageOfText(english, 'de')).to.equal('en')
    expect(web.languageOfText(german, 'en')).to.equal('de')
    expect(web.languageOfText('OK, Docker Compose 3.', 'de')).to.equal('de')
    expect(web.languageOfText('Привет, как дела?', 'de')).to.equal('ru')
    expect(web.languageOfText('今日は天気がいいですね', 'en')).to.equal('ja')
    expect(web.languageOfText('', 'de')).to.equal('de')
  })
})

/** As much of a text field as dictation uses. */
class Field {
  value = ''
  selectionStart = 0
  selectionEnd = 0
  told = 0
  constructor(value: string, caret = value.length) {
    this.value = value
    this.setSelectionRange(caret, caret)
  }
  setRangeText(text: string, start: number, end: number): void {
    this.value = this.value.slice(0, start) + text + this.value.slice(end)
  }
  setSelectionRange(start: number, end: number): void {
    this.selectionStart = start
    this.selectionEnd = end
  }
  /** As a person types. */
  type(text: string, at: number, removed = 0): void {
    this.setRangeText(text, at, at + removed)
    this.setSelectionRange(at + text.length, at + text.length)
  }
}

describe('what is dictated into a field', () => {
  let web: SpeechModules
  before(async () => {
    web = await runWebModules<SpeechModules>(['plugins/feature-agents/web/composer/dictation/dictated-text.ts'])
  })

  it('stands at the caret and changes there until it is certain', () => {
    const field = new Field('Dear , bye', 5)
    const text = web.createDictatedText(field, () => {
      field.told += 1
    })
    text.hear(['a'])
    text.hear(['Ada', ' how are'])
    expect(field.value).to.equal('Dear Ada how are, bye')
    expect(field.selectionStart).to.equal('Dear Ada how are'.length)
    text.hear(['Ada', ' how are you'])
    expect(field.value).to.equal('Dear Ada how are you, bye')
    expect(field.told).to.equal(3)
  })

  it('keeps what is typed before and after it, and the caret there', () => {
    const field = new Field('so')
    const text = web.createDictatedText(field, () => {
      field.told += 1
    })
    text.hear(['one'])
    field.type('And ', 0)
    text.hear(['one two'])
    expect([field.value, field.selectionStart]).to.deep.equal(['And so one two', 4])
    field.type(' end', field.value.length)
    text.hear(['one two three'])
    expect(field.value).to.equal('And so one two three end')
  })

  it('is the person’s once they change it, and goes on with what is said then', () => {
    const field = new Field('')
    const text = web.createDictatedText(field, () => {
      field.told += 1
    })
    text.hear(['the read house'])
    field.type('red', 4, 4)
    field.setSelectionRange(field.value.length, field.value.length)
    text.hear(['the read house', 'is old'])
    expect(field.value).to.equal('the red house is old')
  })

  it('ends when the message is sent, and has no spaces in scripts without them', () => {
    const field = new Field('')
    const text = web.createDictatedText(field, () => {
      field.told += 1
    })
    text.hear(['今日', 'は'])
    expect(field.value).to.equal('今日は')
    field.value = ''
    expect(text.hear(['今日', 'は', '雨'])).to.equal(false)
    expect(field.value).to.equal('')
  })
})
