import { expect } from 'chai'
import { readHead } from './mail.js'

const read = (text: string) => readHead(Buffer.from(text.replace(/\n/g, '\r\n')))

describe('the head of a mail', () => {
  it('has its names and words decoded, over several lines', async () => {
    const head = await read(
      'FROM: =?utf-8?B?QW5uIEzDqWU=?=\n <Ann@People.Example>\nSubject: =?iso-8859-1?Q?Caf=E9?=\n =?utf-8?Q?_now?=\nMessage-ID: <a@x>\n' +
        'References: <b@x>\n\t<c@x>\nDate: Tue, 1 Dec 2026 10:00:00 +0100\n\nFrom: <other@x.example>\n',
    )
    expect(head.from).to.deep.equal({ address: 'ann@people.example', name: 'Ann Lée' })
    expect([head.subject, head.ids, head.writtenAt]).to.deep.equal([
      'Café now',
      { own: '<a@x>', inReplyTo: undefined, references: ['<b@x>', '<c@x>'] },
      Date.UTC(2026, 11, 1, 9),
    ])
    expect(head.headers.all('References')).to.deep.equal([])
  })

  it('names no sender where there are several, or none', async () => {
    const senders = ['a@x.example, b@x.example', 'g: a@x.example;', '', 'Ann', '<>', `${'x'.repeat(1_000)} <a@x.example>`]
    for (const sender of senders) expect((await read(`From: ${sender}\n\n`)).from, sender).to.equal(undefined)
    expect((await read('From: a@x.example\nFrom: b@x.example\n\n')).from).to.equal(undefined)
    expect((await readHead(new Uint8Array())).from).to.equal(undefined)
  })
})
