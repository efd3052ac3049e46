import { expect } from 'chai'
import { withoutQuotedHistory } from './quoted-history.js'

const answers: Readonly<Record<string, string>> = {
  'above a quotation': 'Yes.\n\nOn Tue, 1 Dec 2026 at 10:00, The Agent <a@town.example> wrote:\n> Shall I?\n>> Please ask.\n',
  'with its introduction on two lines': 'Yes.\n\nOn Tuesday, 1 December 2026 at 10:00, The Agent\n<a@town.example> wrote:\n\n> Shall I?\n',
  'in German': 'Yes.\n\nAm Di., 1. Dez. 2026 um 10:00 Uhr schrieb The Agent <a@town.example>:\n> Soll ich?\n',
  'in French': 'Yes.\n\nLe mar. 1 déc. 2026 à 10:00, The Agent <a@town.example> a écrit :\n> Dois-je ?\n',
  'without an introduction': 'Yes.\n\n> Shall I?\n',
  'above a mail of Outlook':
    'Yes.\n\n________________________________\nFrom: The Agent <a@town.example>\nSent: Tuesday\nTo: Ann\nSubject: Re: It\n\nShall I?\n',
  'above the head of a mail':
    'Yes.\r\n\r\nVon: The Agent <a@town.example>\r\nGesendet: Dienstag\r\nAn: Ann\r\nBetreff: Es\r\n\r\nSoll ich?\r\n',
  'above an original message': 'Yes.\n\n-----Original Message-----\nFrom: The Agent\nSent: Tuesday\nTo: Ann\n\nShall I?\n',
  'below a quotation': 'On Tue, 1 Dec 2026, The Agent wrote:\n> Shall I?\n\nYes.\n',
}

describe('an answer without the mail that it answers', () => {
  for (const [what, text] of Object.entries(answers))
    it(`is what was added, ${what}`, () => {
      expect(withoutQuotedHistory(text)).to.equal('Yes.')
    })

  it('keeps quotations between a person’s own words', () => {
    const text = '> First?\n\nYes.\n\n> Second?\n\nNo.'
    expect(withoutQuotedHistory(text)).to.equal(text)
    expect(withoutQuotedHistory(`${text}\n\n> Third?\n`)).to.equal(text)
  })

  it('is all of it where nothing else would be left, and where nothing is quoted', () => {
    for (const text of ['> only a quotation', 'On Monday she wrote:', 'a\n\n____________________\nb', 'From: me\nwith love', ''])
      expect(withoutQuotedHistory(text)).to.equal(text)
  })
})
