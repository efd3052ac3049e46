import { expect } from 'chai'
import { addressOf } from './addresses.js'
import { isVerified } from './authentication-results.js'
import { messageIdOf, partsOf, receivedIdOf, threadOf } from './threads.js'

const ann = 'ann@people.example'
const verified = (...headers: readonly string[]) => isVerified(headers, ann, 'mx.town.example')

describe('the sender of a mail', () => {
  it('is verified by DMARC, or by DKIM of their own domain where there is no DMARC', () => {
    expect(verified('mx.town.example; spf=pass smtp.mailfrom=people.example; dmarc=pass (p=none) header.from=people.example')).to.equal(
      true,
    )
    expect(verified('MX.Town.Example 1;\n dkim = pass (2048-bit key) header.d=people.example header.s=s1')).to.equal(true)
    expect(verified('mx.town.example; dmarc/1=pass')).to.equal(true)
  })

  it('is not verified by anything else', () => {
    const others = [
      'mx.town.example; none',
      'mx.town.example; spf=pass smtp.mailfrom=people.example',
      'mx.town.example; dkim=pass header.d=evil.example',
      'mx.town.example; dkim=pass header.i=@people.example',
      'mx.town.example; dmarc=fail header.from=people.example; dkim=pass header.d=people.example',
      'mx.town.example; dmarc=pass header.from=evil.example',
      'mx.town.example; dmarc=pass; dmarc=fail',
      'mx.town.example; spf=fail (dmarc=pass header.from=people.example)',
      'mx.town.example; spf=fail reason="x; dmarc=pass header.from=people.example"',
      'mx.town.example; dkim=fail (unclosed; dmarc=pass header.from=people.example',
      'mx.town.example.evil.example; dmarc=pass header.from=people.example',
      `mx.town.example; dmarc=pass${' '.repeat(20_000)}`,
    ]
    expect(others.filter((header) => verified(header))).to.deep.equal([])
    expect(isVerified(['mx.town.example; dmarc=pass'], ann, undefined)).to.equal(false)
  })

  it('is believed by the topmost header of the own server alone', () => {
    const [good, bad] = ['mx.town.example; dmarc=pass header.from=people.example', 'mx.town.example; dmarc=fail']
    expect([verified(good, bad), verified(bad, good), verified('mx.other.example; dmarc=fail', good)]).to.deep.equal([true, false, true])
  })

  it('has an address in lower case that can stand in an id', () => {
    expect(addressOf(' Ann.Lee+x@People.Example ')).to.equal('ann.lee+x@people.example')
    const wrong = [
      'ann',
      '@x',
      'a@',
      'a b@x.example',
      'a@x.example\r\nBcc: b@x.example',
      'a/b@x.example',
      `${'a'.repeat(65)}@x.example`,
      'a@-x',
      undefined,
    ]
    expect(wrong.map(addressOf)).to.deep.equal(wrong.map(() => undefined))
  })
})

describe('a thread', () => {
  const address = 'agent@town.example'
  const nothing = { own: undefined, inReplyTo: undefined, references: [] }

  it('is that of its first mail, by whatever the later ones keep of it', () => {
    const key = threadOf({ ...nothing, own: '<root@x>' }, address)
    const ours = messageIdOf({ connection: 'c', id: 'd', thread: key, address })
    const same = [
      { own: '<2@x>', inReplyTo: '<root@x>', references: [] },
      { own: '<3@x>', inReplyTo: '<2@x>', references: ['<root@x>', '<2@x>'] },
      { own: '<4@x>', inReplyTo: ours, references: [] },
      { own: '<5@x>', inReplyTo: undefined, references: ['<other@x>', ours] },
    ]
    expect(same.map((ids) => threadOf(ids, address))).to.deep.equal(same.map(() => key))
    expect(threadOf({ ...nothing, own: '<other@x>' }, address)).not.to.equal(key)
  })

  it('is not that of a Message-ID in the form of ours from elsewhere', () => {
    const forged = messageIdOf({ connection: 'c', id: 'd', thread: '0'.repeat(20), address: 'agent@evil.example' })
    expect(threadOf({ ...nothing, inReplyTo: forged }, address)).not.to.equal('0'.repeat(20))
  })

  it('has Message-IDs that are the same for one delivery alone', () => {
    const of = (connection: string, id: string) => messageIdOf({ connection, id, thread: '0'.repeat(20), address })
    expect(of('a', 'b'))
      .to.equal(of('a', 'b'))
      .and.match(/^<[\w-]+@town\.example>$/)
    expect(new Set([of('a', 'b'), of('a', 'c'), of('ab', ''), of('b', 'a')]).size).to.equal(4)
  })

  it('has conversations that say who takes part', () => {
    const thread = 'a'.repeat(20)
    expect(partsOf(`unverified:${ann}/${thread}`)).to.deep.equal({ address: ann, thread })
    expect(partsOf(`${ann}/${thread}`)).to.deep.equal({ address: ann, thread })
    for (const id of ['', ann, `${ann}/${thread}0`, `${ann}/x/${thread}`, `${ann}\n/${thread}`]) expect(partsOf(id)).to.equal(undefined)
  })

  it('has messages with other ids where another mail claims the same Message-ID', () => {
    expect(receivedIdOf('<a@x>', ['ann'])).not.to.equal(receivedIdOf('<a@x>', ['bob']))
  })
})
