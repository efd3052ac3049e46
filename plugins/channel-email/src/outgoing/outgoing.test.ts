import { expect } from 'chai'
import { htmlOf } from './html.js'
import { smtpFailure } from './smtp-failures.js'

const kindOf = (error: object, wasHandedOver = false) => {
  const { code, details } = smtpFailure({ error, wasHandedOver, wasAccepted: false }) as Error & {
    readonly code: string
    readonly details: { readonly reason: string }
  }
  return [code.replace('channel_', ''), details.reason]
}

describe('an answer as HTML', () => {
  it('has no element, address or picture that a model made up', async () => {
    const html = await htmlOf(
      '<img src=x onerror=y>\n\n[a](javascript:x) [b](data:text/html,x) [c](https://x.example/"q) ![d](https://x.example/e.png)',
    )
    expect(html).not.to.match(/<img|javascript:|data:text|onerror=y>/)
    expect(html)
      .to.include('&lt;img src=x onerror=y&gt;')
      .and.include('href="https://x.example/e.png" rel="noopener noreferrer nofollow" target="_blank">d</a>')
  })

  it('lets other work of the process go on while a long text is written', async () => {
    let turns = 0
    const work = htmlOf('*a _b [c](d '.repeat(4_000))
    for (let isDone = false; !isDone; turns += 1)
      isDone = await Promise.race([work.then(() => true), new Promise<false>((resolve) => setImmediate(resolve, false))])
    expect(turns).to.be.above(5)
  })
})

describe('a failure of SMTP', () => {
  it('is about the mail, the credentials, or the moment', () => {
    expect(kindOf({ responseCode: 550, response: '550 5.1.1 No such user', command: 'RCPT TO' })).to.deep.equal([
      'rejected',
      'there is no such address (it answers 550 5.1.1)',
    ])
    expect(kindOf({ responseCode: 552, response: '552 too large', command: 'DATA' }, true)[0]).to.equal('rejected')
    expect(kindOf({ responseCode: 451, response: '451 4.7.1 Greylisted', command: 'RCPT TO' })).to.deep.equal([
      'unavailable',
      'it answers 451 4.7.1',
    ])
    expect(kindOf({ responseCode: 421, command: 'CONN', code: 'ECONNECTION' })[0]).to.equal('unavailable')
    expect(kindOf({ responseCode: 554, command: 'CONN', code: 'EPROTOCOL' })[0]).to.equal('unavailable')
    expect(kindOf({ responseCode: 535, command: 'AUTH PLAIN', code: 'EAUTH' })).to.deep.equal(['unauthorized', 'wrong'])
    expect(kindOf({ responseCode: 454, command: 'AUTH PLAIN', code: 'EAUTH' })[0]).to.equal('unavailable')
    expect(kindOf({ responseCode: 530, command: 'MAIL FROM' })).to.deep.equal(['unauthorized', 'missing_permission'])
  })

  it('is about the greeting, for which there is a setting, and not about the mail', () => {
    for (const error of [
      { responseCode: 501, response: '501 5.5.4 bad name', command: 'HELO', code: 'EPROTOCOL' },
      { responseCode: 550, response: '550 bad name', command: 'EHLO', code: 'ECONNECTION' },
      { responseCode: 504, response: '504 5.5.2 <x>: Helo command rejected: need fully-qualified hostname', command: 'RCPT TO' },
    ]) {
      const [kind, reason] = kindOf(error)
      expect(kind).to.equal('unavailable')
      expect(reason).to.include('set smtp_ehlo_name')
    }
  })

  it('is about a port whose protection is another one, and says which', () => {
    const tls = { code: 'ESOCKET', command: 'CONN', message: 'ssl3_get_record:wrong version number' }
    expect(kindOf(tls)[1]).to.include('choose “starttls”, or the port 465')
    expect(kindOf({ code: 'ETIMEDOUT', command: 'CONN', message: 'Greeting never received' })[1]).to.include('choose “tls”')
  })

  it('has an unknown outcome only once the end of the mail was sent', () => {
    expect(kindOf({ code: 'ECONNECTION', command: 'CONN' })[0]).to.equal('unavailable')
    expect(kindOf({ code: 'ECONNECTION', command: 'CONN' }, true)[0]).to.equal('outcome_unknown')
    expect(kindOf({ code: 'EMESSAGE', command: 'DATA', response: 'nonsense' }, true)[0]).to.equal('outcome_unknown')
    expect(kindOf({ responseCode: 451, command: 'DATA' }, true)[0]).to.equal('unavailable')
  })

  it('says nothing of what the server wrote, nor of the password', () => {
    const { message, cause } = smtpFailure({
      error: Object.assign(new Error('535 secret'), { responseCode: 535, command: 'AUTH PLAIN c2VjcmV0' }),
      ...{ wasHandedOver: false, wasAccepted: true },
    })
    expect(message).not.to.include('secret')
    expect(cause).to.equal(undefined)
  })
})
