import { expect } from 'chai'
import { titleFromAnswer } from './title-from-answer.js'

describe('a title from the answer of a model', () => {
  it('is the first line with words, without markup and quotation marks around it', () => {
    const cases: readonly (readonly [string, string | undefined])[] = [
      ['A trip to Rome', 'A trip to Rome'],
      ['\n\n  “A trip to Rome.”  \nwith more', 'A trip to Rome'],
      ['Title: **A trip to Rome**', 'A trip to Rome'],
      ['# "Über Äpfel"', 'Über Äpfel'],
      ['---\nWhat is C++?', 'What is C++?'],
      ['And so on …', 'And so on …'],
      ['Wait...', 'Wait...'],
      ['東京への旅', '東京への旅'],
      ['👩‍🚀🌍', '👩‍🚀🌍'],
      ['می‌خواهم بدانم', 'می‌خواهم بدانم'],
      ['<think>\nThe person asks about Rome.\n</think>\n\nThree days', 'Three days'],
      ['The person asks about Rome.\n</think>\n\nThree days', 'Three days'],
      ['<think>\nThe person asks', undefined],
      ['', undefined],
      [' \n"…"\n', undefined],
    ]
    for (const [answer, title] of cases) expect(titleFromAnswer(answer), JSON.stringify(answer)).to.equal(title)
  })

  it('has no control characters, no second line and no invisible text, whatever the model wrote', () => {
    expect(titleFromAnswer('\u001b[2J\u001b]0;own\u0007ed\u0000 A\u0085B')).to.equal('[2J]0;owned A')
    expect(titleFromAnswer('one\u2028two')).to.equal('one')
    expect(titleFromAnswer('one\r\ntwo')).to.equal('one')
    expect(titleFromAnswer('a\u202egpj.exe\u2066b\u200b\ufeff\u00adc\u{e0041}')).to.equal('agpj.exebc')
    expect(titleFromAnswer('\ud800 half \udc00')).to.equal('\ufffd half \ufffd')
    expect(titleFromAnswer('\u200d\u200dx\u200d')).to.equal('x')
    expect(titleFromAnswer('a\tb\u3000c')).to.equal('a b c')
    for (let code = 0; code < 0x1_0000; code += 1) {
      const title = titleFromAnswer(`a${String.fromCharCode(code)}b`) ?? ''
      expect(title, code.toString(16)).to.not.match(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u)
    }
  })

  it('has at most 80 characters, cut between words and never within a character', () => {
    const long = titleFromAnswer('word '.repeat(100)) ?? ''
    expect([...long].length).to.be.at.most(80)
    expect(long).to.match(/^(word )+word…$/)
    expect([...(titleFromAnswer('😀'.repeat(1_000)) ?? '')]).to.have.length(80)
    expect(titleFromAnswer('x'.repeat(10_000_000))).to.have.length(80)
  })
})
