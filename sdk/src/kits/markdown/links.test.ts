import { expect } from 'chai'
import { markdownHtml } from './index.js'

const ownOrigins = ['https://service.example']
const html = (markdown: string): string =>
  [...markdownHtml(markdown, { breaks: true, ownOrigins })].join('').replace(/^<p dir="auto">|<\/p>$/g, '')
const to = (href: string, text: string): string =>
  `<a dir="auto" href="${href}" rel="noopener noreferrer nofollow" target="_blank">${text}</a>`

describe('links in foreign Markdown', () => {
  it('lead to web pages and mailboxes, beside the page', () => {
    expect(html('[a](https://x.example/?a=1&b="2" "Title")')).to.equal(to('https://x.example/?a=1&amp;b=%222%22', 'a'))
    expect(html('https://x.example/a <https://x.example/b?c&d> www.x.example')).to.equal(
      [
        to('https://x.example/a', 'https://x.example/a'),
        to('https://x.example/b?c&amp;d', 'https://x.example/b?c&amp;d'),
        to('http://www.x.example/', 'www.x.example'),
      ].join(' '),
    )
    expect(html('[a][r]\n\n[r]: https://x.example/ "Title"')).to.equal(to('https://x.example/', 'a'))
    expect(html('ada@x.example')).to.equal('<a dir="auto" href="mailto:ada@x.example" rel="noopener noreferrer nofollow">ada@x.example</a>')
    expect(html('[a](https://x.example/?a=1&amp;b=2)')).to.equal(to('https://x.example/?a=1&amp;b=2', 'a'))
    expect(html('[](https://x.example/)')).to.equal(to('https://x.example/', 'https://x.example/'))
  })

  it('are found by references, wherever in the text their addresses are defined', () => {
    const far = `${'word '.repeat(300)}\n\n`.repeat(10)
    expect(html(`[pay][R 1] [r 1]\n\n${far}[r  1]: <https://x.example/a\\_b> "Title"\n[r 1]: https://y.example/`)).to.contain(
      `${to('https://x.example/a_b', 'pay')} ${to('https://x.example/a_b', 'r 1')}`,
    )
    expect(html(`[r]: https://x.example/\n\n${far}> [pay][r]`))
      .to.contain(to('https://x.example/', 'pay'))
      .and.not.contain('[r]')
    expect(html(`[a][__proto__] [b][constructor]\n\n${far}[__proto__]: https://x.example/`)).to.contain(
      `${to('https://x.example/', 'a')} [b][constructor]`,
    )
    for (const other of ['word\n[r]: https://x.example/', '```\n[r]: https://x.example/\n```', '~~~\n```\n\n[r]: https://x.example/'])
      expect(html(`[pay][r]\n\n${far}${other}`), other).not.to.contain('>pay</a>')
  })

  it('leave no definition out that none refers to', () => {
    expect(html('a\n\n[r]: https://x.example/ "Title"')).to.contain('a</p><p dir="auto">[r]: https://x.example/ &quot;Title&quot;')
    expect(html('> [//]: # (note)')).to.contain('[//]: # (note)')
    expect(html('[r]\n\n[R]: https://x.example/')).to.equal(to('https://x.example/', 'r'))
  })

  it('are their text alone if they lead anywhere else', () => {
    for (const href of [
      ...[
        'javascript:alert(1)',
        'JaVaScRiPt:alert(1)',
        'javascript&colon;alert(1)',
        'java&#x0A;script:alert(1)',
        '&#1;javascript:alert(1)',
      ],
      ...[
        'data:text/html,x',
        'vbscript:x',
        'file:///etc/passwd',
        'blob:https://x.example/1',
        'view-source:https://x.example',
        'about:blank',
      ],
      ...['/api/auth/me', 'page.md', '#fragment', '//x.example/a', '?query', '\\\\x.example', 'https://', 'intent://x#Intent;end', ''],
    ]) {
      expect(html(`[a](${href})`), href).not.to.contain('<a')
      expect(html(`![a](${href})`), href).not.to.match(/<a|<img/)
      expect(html(`[a][r]\n\n[r]: ${href}`), href).not.to.contain('<a')
    }
    expect(html('<javascript:alert(1)>')).to.equal('javascript:alert(1)')
  })

  it('are pictures too, which never load, and never nest', () => {
    expect(html('![a<b](https://x.example/p.gif)')).to.equal(to('https://x.example/p.gif', 'a&lt;b'))
    expect(html('![](https://x.example/p.gif)')).to.equal(to('https://x.example/p.gif', 'https://x.example/p.gif'))
    expect(html('[![a](https://x.example/p.gif)](https://y.example/)')).to.equal(to('https://y.example/', 'a'))
    expect(html('[**a** ![b](https://x.example/p.gif)](javascript:x)')).to.equal(`<strong>a</strong> ${to('https://x.example/p.gif', 'b')}`)
  })

  it('say where they lead if their text names another host', () => {
    const other = (text: string, href = 'https://evil.example/'): boolean =>
      html(`[${text}](${href})`).endsWith(' <bdi>(evil.example)</bdi>')
    for (const text of [
      ...[
        'https://bank.example/login',
        'bank.example',
        'www.bank.example/a',
        'Log in at bank.example now',
        'HTTPS://BANK.EXAMPLE',
        '//bank.example',
      ],
      ...[
        '**bank**.example',
        'bank&#46;example',
        'bank\u200b.example',
        'bank\u00ad.example',
        'bank\u2024example',
        'ｂａｎｋ．example',
        'bаnk.example',
      ],
      ...['http://127.0.0.1/', '127.0.0.1', 'http://localhost', 'https:\\\\bank.example', 'evil.example.bank.example', 'ada@bank.example'],
      ...['https://bank.example@evil.example/', 'https:/bank.example'],
      ...['🔒https://bank.example/login', '🔒bank.example', '→bank.example', '=bank.example', 'Login:bank.example', 'Login/bank.example'],
      ...['Login:https://bank.example', 'url=https://bank.example/', 'bank.example→Login', 'bank.example–Login', 'bank.example-Login'],
      ...['bank.example_Login', 'bank.example*', 'bank.example:https', 'bank.example@evil.example', 'bank۔example', 'bank.example...Login'],
      ...[
        'https://evil.example/ bank.example',
        'https://evil.example/→bank.example',
        'evil.example→bank.example',
        '127.0.0.1→Login',
        '127.0.0.1.',
      ],
      ...['http://localhost*', 'https://bank.example\u2215@evil.example/', '\u{1f512}http://[::1]/', '-bank.example'],
    ])
      expect(other(text), text).to.equal(true)
    for (const text of [
      'evil.example',
      'https://evil.example/bank.example',
      'www.evil.example',
      'EVIL.example.',
      'Node.js',
      'main.tsx',
      'Click here',
      '3.5',
      'e.g. a',
      'a@evil.example',
      ...[
        'https://evil.example/?u=https://bank.example',
        'evil.example/bank.example',
        '🔒evil.example→Login',
        'evil.example-Login',
        'a.b–c',
      ],
      ...['Wait...what', 'v1.2-beta', 'src/Node.js', 'https://evil.example:8080/a', '**Login:** evil.example*', '(https://evil.example)'],
    ])
      expect(other(text), text).to.equal(false)
    expect(html('https://bank.example@evil.example/')).to.equal(
      `${to('https://evil.example/', 'https://bank.example@evil.example/')} <bdi>(evil.example)</bdi>`,
    )
    expect(html('[ada@bank.example](mailto:ada@evil.example)')).to.contain('</a> <bdi>(ada@evil.example)</bdi>')
    expect(html('https://x.example/a,b.example;c.example')).not.to.contain('<bdi>')
    expect(html('[https://münchen.example](https://xn--mnchen-3ya.example/)')).not.to.contain('<bdi>')
  })

  it('lead to exactly one mailbox, with a subject and nothing else', () => {
    const href = (address: string): string | undefined => /href="([^"]*)"/.exec(html(`[a](${address})`))?.[1]
    for (const address of [
      ...[
        'support@evil.example,x@bank.example',
        'a@x.example;b@x.example',
        '?to=a@x.example',
        '',
        'a',
        'a@',
        '@x.example',
        'a@b@x.example',
      ],
      ...[
        'a%0d%0aBcc:b@x.example',
        'a@x.example%0a',
        'a%20b@x.example',
        '%22a%22@x.example',
        'a@127.0.0.1',
        'a@x_.example',
        'a%@x.example',
      ],
      ...['a%2Cb@x.example', 'a%E2%80%AE@x.example', 'Ada%3Ca@x.example%3E', 'a..b@x.example', '//a@x.example'],
      ...['a%CD%8F@x.example', 'a@ex%2561mple.org', 'a@x.example:80', 'a@-x.example', 'a@x.example.'],
    ])
      expect(html(`[a](mailto:${address})`), address).to.equal('a')
    expect(href('mailto:a@x.example?cc=b@x.example&attach=/etc/passwd&Subject=c%20%26d&bcc=e@x.example&body=f&to=g@x.example')).to.equal(
      'mailto:a@x.example?subject=c%20%26d',
    )
    expect(href('mailto:a@x.example?body=subject=b')).to.equal('mailto:a@x.example')
    expect(href('mailto:a@x.example?subject=b%0D%0ABcc:%20c@x.example')).to.equal('mailto:a@x.example?subject=b%20Bcc%3A%20c%40x.example')
    expect(href('mailto:a@x.example?subject=%ff')).to.equal('mailto:a@x.example')
    expect(href('mailto:a+b%26c@münchen.example')).to.equal('mailto:a+b%26c@xn--mnchen-3ya.example')
  })

  it('say to which mailbox they lead if their text names another one', () => {
    const other = (text: string, href = 'mailto:ada.lovelace@evil.example'): boolean =>
      html(`[${text}](${href})`).endsWith('</a> <bdi>(ada.lovelace@evil.example)</bdi>')
    for (const text of ['bob@evil.example', 'mailto:bob@evil.example', '🔒bob@bank.example', 'bank.example', 'Mail to bob@evil.example.'])
      expect(other(text), text).to.equal(true)
    for (const text of [
      'Mail',
      'ada.lovelace@evil.example',
      '(mailto:Ada.Lovelace@EVIL.example).',
      'evil.example',
      'Ada <ada.lovelace@evil.example>',
    ])
      expect(other(text), text).to.equal(false)
    expect(html('ada.lovelace@x.example')).not.to.contain('<bdi>')
  })

  it('have no characters that reverse their text', () => {
    expect(html('[\u202emoc.knab\u202c](https://evil.example/)')).to.equal(
      `${to('https://evil.example/', 'moc.knab')} <bdi>(evil.example)</bdi>`,
    )
    expect(html('[&#x202e;a **\u2067b**](https://evil.example/)')).to.equal(to('https://evil.example/', 'a <strong>b</strong>'))
  })

  it('lead to pages and files of the own service, and to no operation of its API', () => {
    for (const path of [
      ...[
        '/api/auth/sso/login?confirm=true',
        '/%61pi/auth',
        '//api/auth',
        '/API/auth',
        '/./api/auth',
        '/p/../api/auth',
        '/api%2fauth',
        '/%2561pi/auth',
      ],
      ...['/api/files/content/../presign', '/%', '/api', '/p/..%2fapi/auth', '/\\api/auth'],
      ...['/agents/api/auth/sso/login?confirm=true', '/agents/agents/api/auth', '/a/%61pi', '/agents/api/files/content/api'],
    ])
      expect(html(`[a](https://service.example${path})`), path).to.equal('a')
    for (const path of [
      '/p/abc',
      '/s/abc',
      '/chats/1',
      '/api/files/content?path=files%2Fa&presign=x',
      '/agents/api/files/content',
      '/agents/chats/1',
    ])
      expect(html(`[a](https://service.example${path})`), path).to.equal(to(`https://service.example${path.replace('&', '&amp;')}`, 'a'))
    for (const origin of ['http://service.example', 'https://service.example.', 'https://service.example:80', 'http://service.example:443'])
      expect(html(`[a](${origin}/api/auth)`), origin).to.equal('a')
    for (const address of ['https://other.example/api/auth', 'https://service.example:8080/api/auth'])
      expect(html(`[a](${address})`), address).to.contain('<a')
  })
})
