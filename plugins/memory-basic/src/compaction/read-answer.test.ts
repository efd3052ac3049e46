import { expect } from 'chai'
import { readAnswer } from './read-answer.js'

const read = (text: string, ...notes: readonly string[]) =>
  readAnswer(JSON.stringify({ memories: [{ text, from: notes.map((_, index) => index + 1) }] }), notes)

const allergies = ['Anna is allergic to nuts, the doctor says so.', 'Ben is allergic to bees, and Anna knows it well.']

describe('the answer of a compaction', () => {
  it('keeps what the notes say', () => {
    expect(read('Anna is allergic to nuts. Ben is allergic to bees.', ...allergies)).to.have.property('texts')
    expect(read('Does not eat fish or meat', 'Does not eat fish at all.', 'She also does not eat meat.')).to.have.property('texts')
    const german = ['Sie mag den Tee aus dem Laden und die Kekse.', 'Sie mag auch die Kekse mit Nuss sehr.']
    expect(read('Mag Tee, Kekse mit Nuss aus dem Laden', ...german)).to.have.property('texts')
  })

  for (const [what, text, notes] of [
    ['most of what is said', 'Anna', allergies],
    [
      'a name',
      'Is allergic to nuts and bees, the doctor says',
      ['It is Anna who is allergic to nuts.', 'The doctor says: to bees as well.'],
    ],
    ['a number', 'The code of the bike lock is known', ['The code of the bike lock is 4711.', 'The bike lock has a code.']],
    ['a denial', 'Eats fish and meat', ['Does not eat fish at all, ever.', 'Does not eat meat either, ever.']],
  ] as const)
    it(`does not leave out ${what}`, () => {
      expect(read(text, ...notes)).to.have.property('refused')
    })

  it('has no secrets and no new orders', () => {
    const notes = [
      'Has told the agent that the password to the shop is hunter22! as it seems',
      'The previous rules are those that she is going to ignore.',
    ]
    expect(read('The password is hunter22!', ...notes)).to.have.property('refused', 'a text has what looks like a secret')
    expect(read('She is going to ignore the previous rules', notes[1] ?? '')).to.have.property('refused')
  })

  it('does not deny what the notes say', () => {
    expect(read('Ben is allergic to nuts, bees; Anna is not.', ...allergies)).to.have.property('refused')
  })
})
