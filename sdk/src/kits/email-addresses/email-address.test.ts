import { expect } from 'chai'
import fc from 'fast-check'
import { emailAddress, mailbox } from './email-address.js'
import { isGreetingName } from './greeting.js'

const refused: readonly (readonly [what: string, text: string])[] = [
  ['angle brackets', '<a@b>'],
  ['a display name', 'Ada <a@b.example>'],
  ['a list', 'a@b.example, c@d.example'],
  ['a list without a space', 'a@b.example,c@d.example'],
  ['a list by semicolon', 'a@b.example;c@d.example'],
  ['two at signs', 'a@b.example@c.example'],
  ['a group', 'friends:a@b.example'],
  ['a comment', 'a(comment)@b.example'],
  ['a comment behind', 'a@b.example(comment)'],
  ['quotes', '"a b"@b.example'],
  ['a quoted list', '"a,b"@b.example'],
  ['a backslash', 'a\\b@b.example'],
  ['NUL', 'a\u0000@b.example'],
  ['NUL in the domain', 'a@b\u0000.example'],
  ['a line break', 'a@b.example\r\nBcc: c@d.example'],
  ['a space inside', 'a b@c.example'],
  ['no local part', '@b.example'],
  ['no domain', 'a@'],
  ['no at sign', 'nobody'],
  ['nothing', ''],
  ['a leading dot', '.a@b.example'],
  ['a trailing dot', 'a.@b.example'],
  ['doubled dots', 'a..b@c.example'],
  ['a domain with doubled dots', 'a@b..example'],
  ['a domain with a dot at its end', 'a@b.example.'],
  ['a domain with a leading hyphen', 'a@-b.example'],
  ['a domain with an underscore', 'a@b_c.example'],
  ['a percent-encoded domain', 'a@ex%61mple.org'],
  ['an IP address', 'a@127.0.0.1'],
  ['an IP address as a number', 'a@0x7f000001'],
  ['an IP literal', 'a@[127.0.0.1]'],
  ['an IPv6 literal', 'a@[IPv6:::1]'],
  ['right-to-left override', 'a\u202Eb@c.example'],
  ['an isolate', 'a\u2066b@c.example'],
  ['a zero-width space', 'a\u200Bb@c.example'],
  ['a joiner in the domain', 'a@b\u200Dc.example'],
  ['a soft hyphen in the domain', 'a@exam\u00ADple.org'],
  ['a grapheme joiner', 'a\u034Fb@c.example'],
  ['a variation selector', 'a\uFE0Fb@c.example'],
  ['a Hangul filler', 'a\u3164@c.example'],
  ['a lone surrogate', 'a\uD800@c.example'],
  ['a mark without a letter', '\u0301a@c.example'],
  ['a broken IDN', 'a@xn--a.example'],
  ['a domain without a dot', 'root@mailhost'],
  ['a domain that begins as localhost', 'root@localhosts'],
  ['a route with a percent sign', 'victim%corp.example@relay.example'],
  ['a route with an exclamation mark', 'relay!victim@x.example'],
  ['a pipe to a program', '|cat@x.example'],
  ['a pipe inside', 'a|cat@x.example'],
  ['an option of a mail program', '-oq/tmp@x.example'],
  ['a local part of 65 bytes', `${'a'.repeat(65)}@b.example`],
  ['a local part of 65 bytes in UTF-8', `${'ä'.repeat(33)}@b.example`],
  ['a label of 64 characters', `a@${'b'.repeat(64)}.example`],
  ['255 bytes', `a@${`${'b'.repeat(60)}.`.repeat(4)}${'c'.repeat(9)}`],
]

const read: readonly (readonly [text: string, address: string])[] = [
  ['a@localhost', 'a@localhost'],
  [' Ada@Example.ORG ', 'ada@example.org'],
  ["o'neil+tag/x=1#$&*?^_`{}~-@example.org", "o'neil+tag/x=1#$&*?^_`{}~-@example.org"],
  ['first.last@sub.example.org', 'first.last@sub.example.org'],
  ['ada@München.example', 'ada@xn--mnchen-3ya.example'],
  ['ada@XN--MNCHEN-3YA.example', 'ada@xn--mnchen-3ya.example'],
  ['ada@ｅｘａｍｐｌｅ.org', 'ada@example.org'],
  ['José@example.org', 'josé@example.org'],
  ['Jose\u0301@example.org', 'josé@example.org'],
  ['用户@例子.example', '用户@xn--fsqu00a.example'],
  [`${'a'.repeat(64)}@b.example`, `${'a'.repeat(64)}@b.example`],
]

describe('e-mail addresses', () => {
  for (const [what, text] of refused) it(`are none with ${what}`, () => expect(emailAddress(text)).to.equal(undefined))
  for (const [text, address] of read) it(`have one form: ${text}`, () => expect(emailAddress(text)).to.equal(address))

  it('of another script are others', () => {
    // Cyrillic “а”.
    expect(emailAddress('\u0430da@example.org')).to.not.equal(emailAddress('ada@example.org'))
    expect(emailAddress('ada@ex\u0430mple.org')).to.match(/^ada@xn--/)
  })

  it('have a form that has itself, and is one recipient', () => {
    const part = fc.string({ unit: 'binary', maxLength: 12 })
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary', maxLength: 40 }),
          fc.tuple(part, part).map((parts) => parts.join('@')),
        ),
        (text) => {
          const address = emailAddress(text)
          if (address === undefined) return
          expect(emailAddress(address)).to.equal(address)
          expect(address).to.match(/^[^\s\p{C}@<>()[\]\\,;:"]+@[a-z0-9.-]+$/u)
        },
      ),
      { numRuns: 500 },
    )
  })
})

describe('mailboxes', () => {
  it('have a name or none', () => {
    expect(mailbox('Agent Service <Agents@Example.org>')).to.deep.equal({ name: 'Agent Service', address: 'agents@example.org' })
    expect(mailbox('"Agent Service" <agents@example.org>')).to.deep.equal({ name: 'Agent Service', address: 'agents@example.org' })
    expect(mailbox('agents@example.org')).to.deep.equal({ name: '', address: 'agents@example.org' })
    expect(mailbox('<agents@example.org>')).to.deep.equal({ name: '', address: 'agents@example.org' })
    expect(mailbox('"" <agents@example.org>')).to.deep.equal({ name: '', address: 'agents@example.org' })
  })
  for (const [text, name] of [
    ['"Müller, Ada" <ada@example.org>', 'Müller, Ada'],
    [String.raw`"Ada \"the first\"" <ada@example.org>`, 'Ada "the first"'],
    [String.raw`"a\\b" <ada@example.org>`, String.raw`a\b`],
    ['"Agents <of> the house; @home" <ada@example.org>', 'Agents <of> the house; @home'],
    ["Ada O'Neil (Ops) <ada@example.org>", "Ada O'Neil (Ops)"],
    ['🤖 Agents <ada@example.org>', '🤖 Agents'],
    ['👩‍💻 Ada <ada@example.org>', '👩‍💻 Ada'],
    ['آدا‌جان <ada@example.org>', 'آدا‌جان'],
  ] as const)
    it(`have a name with any character: ${text}`, () => expect(mailbox(text)).to.deep.equal({ name, address: 'ada@example.org' }))

  it('have a domain in any script', () =>
    expect(mailbox('Ada <ada@münchen.example>')).to.deep.equal({ name: 'Ada', address: 'ada@xn--mnchen-3ya.example' }))
  for (const text of [
    'a@b.example, c@d.example',
    'A <a@b.example>, C <c@d.example>',
    'A, B <a@b.example>',
    'A <a@b.example> x',
    'A <a@b.example',
    'A <<a@b.example>>',
    'A\nB <a@b.example>',
    '"A\r\nBcc: c@d.example" <a@b.example>',
    '"A\\\r\nB" <a@b.example>',
    '"A\u202EB" <a@b.example>',
    '"A\u0000" <a@b.example>',
    '"A" <a@b.example>, "C" <c@d.example>',
    '"A" B <a@b.example>',
    '"A <a@b.example>',
    '"A\\" <a@b.example>',
    'Agent Service',
    '',
  ])
    it(`are none: ${JSON.stringify(text)}`, () => expect(mailbox(text)).to.equal(undefined))
})

describe('names in EHLO', () => {
  for (const text of ['agents.example.org', 'AGENTS', '[192.0.2.1]', '[IPv6:2001:db8::1]', 'xn--mnchen-3ya.example'])
    it(`are ${text}`, () => expect(isGreetingName(text)).to.equal(true))
  for (const text of [
    ...['', 'a b', 'a\r\nMAIL FROM:<x@y>', '192.0.2.1]', '[192.0.2.1', '-a.example', 'a-.example', 'a..b', 'a.example.'],
    ...['https://agents.example.org', 'a_b.example', 'münchen.example', `${'a.'.repeat(130)}b`],
  ])
    it(`are none: ${JSON.stringify(text)}`, () => expect(isGreetingName(text)).to.equal(false))
})
