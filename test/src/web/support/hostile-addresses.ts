/** Every way to write an address of this machine, a private network or a metadata service that a URL parser might read. */
const hosts: readonly string[] = [
  // This machine.
  ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '127.000.000.001', '0177.0.0.1', '0177.0.0.01', '017700000001', '0x7f000001'],
  ...['0x7f.0.0.1', '0x7f.1', '0x7F.0x0.0x0.0x1', '2130706433', '127.1.2.3', '127.255.255.254', '127.0.0.2', '0', '0.0.0.0', '00000000000'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ...['[::ffff:0:127.0.0.1]', '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[2001:0:7f00:1::]'],
  ...[
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '127%2e0%2e0%2e1',
    '%31%32%37.0.0.1',
    '127.0.0%2E1',
    '12\u00ad7.0.0.1',
  ],
  ...['localhost', 'LOCALHOST', 'localhost.', 'ｌｏｃａｌｈｏｓｔ', 'app.localhost', 'localhost.localdomain', 'ip6-localhost'],
  // Names that lead here.
  ...['rebound.example', 'REBOUND.example.', 'mapped.example', 'six.example', 'translated.example', 'mixed.example', 'mixed-six.example'],
  ...['zero.example', 'private.example', 'metadata.example', 'bücher.example', 'xn--bcher-kva.example'],
  // Networks that are not public, and metadata services.
  ...['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.254', '192.168.0.1', '192.168.1.254', '100.64.0.1', '169.254.169.254'],
  ...[
    '0xa9fea9fe',
    '2852039166',
    '0251.0376.0251.0376',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[fd00:ec2::254]',
    '169.254.170.2',
  ],
  ...['[fe80::1]', '[fc00::1]', '[fd12:3456:789a::1]', '[fec0::1]', '[ff02::1]', '224.0.0.1', '239.255.255.250', '255.255.255.255'],
  ...['198.18.0.1', '192.0.0.1', '192.0.2.1', '198.51.100.1', '203.0.113.1', '240.0.0.1', '[2001:db8::1]', '[100::1]', '0.1.2.3'],
]

/** What the names of the hosts above lead to; every other name is unknown. */
export const hostileNames: Readonly<Record<string, readonly string[]>> = {
  'rebound.example': ['127.0.0.1'],
  'rebound.example.': ['127.0.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'six.example': ['::1'],
  'translated.example': ['64:ff9b::7f00:1'],
  'mixed.example': ['93.184.216.34', '127.0.0.1'],
  'mixed-six.example': ['2606:2800:220:1::1', '::1'],
  'zero.example': ['0.0.0.0'],
  'private.example': ['10.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'xn--bcher-kva.example': ['127.0.0.2'],
  localhost: ['127.0.0.1', '::1'],
  'localhost.': ['127.0.0.1'],
  'app.localhost': ['127.0.0.1'],
  'localhost.localdomain': ['127.0.0.1'],
  'ip6-localhost': ['::1'],
}

type Form = (host: string, port: number) => string

/** Ways to put a host into an address. */
const forms: readonly Form[] = [
  (host, port) => `http://${host}:${port}/`,
  (host, port) => `https://${host}:${port}/latest/meta-data/`,
  (host, port) => `http://example.org@${host}:${port}/`,
  (host, port) => `http:\\\\${host}:${port}\\page`,
]

/** Addresses that confuse parsers about which part is the host, and other schemes; all of them lead here if anywhere. */
const confusing = (port: number): readonly string[] => [
  ...[`http:127.0.0.1:${port}`, `http:/127.0.0.1:${port}/`, `http:////127.0.0.1:${port}/`, `ht\ttp://127.0.0.1:${port}/`],
  ...[`http://127.0.0.1:${port}#@example.org/`, `http://127.0.0.1:${port}?@example.org/`, `http://127.0.0.1:${port}\\@example.org/`],
  ...[`http://example.org:80@127.0.0.1:${port}/`, `http://example.org%2f@127.0.0.1:${port}/`, `http://127.0.0.1\t:${port}/`],
  ...[`  http://127.0.0.1:${port}/`, `http://127.0.0.1:0${port}/`, `HTTP://127.0.0.1:${port}/`, `http://[::1%25lo]:${port}/`],
  ...['http://127.0.0.1:22/', 'http://127.0.0.1:6379/', 'http://[::1]:25/', 'http://127.0.0.1/', 'https://[::1]/'],
  ...['file:///etc/passwd', 'file://127.0.0.1/etc/passwd', `gopher://127.0.0.1:${port}/_x`, `ftp://127.0.0.1:${port}/`],
  ...[`dict://127.0.0.1:${port}/`, `ws://127.0.0.1:${port}/`, `view-source:http://127.0.0.1:${port}/`, `blob:http://127.0.0.1:${port}/1`],
  ...['data:text/html,<p>hello', 'javascript:fetch("/")', `jar:http://127.0.0.1:${port}!/`, `//127.0.0.1:${port}/`, 'about:blank'],
]

/** All of them, for a port of this machine where something listens. */
export const hostileAddresses = (port: number): readonly string[] => [
  ...hosts.flatMap((host) => forms.map((form) => form(host, port))),
  ...confusing(port),
]
