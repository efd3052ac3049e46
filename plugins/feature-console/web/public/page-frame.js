/**
 * Shows a page of a person, behind `frame-port.js` and `page-guard.js`. The console sends the text of
 * the page, and on request what lies beside it; the page goes into a frame of its own, in a document
 * that this one may not look into, and which can go nowhere: this page allows frames no address.
 */
// biome-ignore lint/correctness/noUnusedVariables: called by the script that this is put into
function startPage() {
  /** Styles may import styles, and name pictures and fonts. */
  const maxRounds = 4
  /** How much of files a page has in it, each as often as it is named, and what naming one takes at least. */
  const maxFilled = 16_000_000
  const leastFilled = 1_000
  /** How soon after its loading a page says so. */
  const maxWordMs = 1_000
  const types = {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    gif: 'image/gif',
    webp: 'image/webp',
    avif: 'image/avif',
    svg: 'image/svg+xml',
    ico: 'image/x-icon',
    woff2: 'font/woff2',
    woff: 'font/woff',
    ttf: 'font/ttf',
    otf: 'font/otf',
    mp3: 'audio/mpeg',
    wav: 'audio/wav',
    ogg: 'audio/ogg',
    m4a: 'audio/mp4',
    mp4: 'video/mp4',
    webm: 'video/webm',
  }
  const refused = 'base, embed, fencedframe, frame, frameset, iframe, link, meta, object, portal, noscript'
  /** Whatever the parser makes of a text a second time, none of these is in it. */
  const refusedTags = /<(?=(?:base|embed|fencedframe|frame|frameset|iframe|link|meta|object|portal)(?![a-z0-9-]))/gi

  // Only texts of this script become markup here, and the page, which is never part of this document.
  trustedTypes.createPolicy('default', { createHTML: (text) => text, createScript: (text) => text })

  /** What came so far, by its name beside the page; `undefined` for what is not there. */
  const files = new Map()
  const wanted = new Set()
  let room = maxFilled

  /** The name of a file beside the page, from a file in its folder; `undefined` for other addresses. */
  const nameOf = (address, from = '') => {
    const text = address.trim().replace(/[?#].*$/s, '')
    if (text === '' || /^[a-z][\w+.-]*:|^\/\/|\\/i.test(text)) return undefined
    const folder = text.startsWith('/') ? [] : from.split('/').slice(0, -1)
    const names = [...folder]
    for (const part of text.split('/')) {
      if (part === '..' && names.length === 0) return undefined
      if (part === '..') names.pop()
      else if (part !== '' && part !== '.') names.push(decoded(part))
    }
    return names.length === 0 || names.some((name) => /[/\\]|^\.\.?$/.test(name)) ? undefined : names.join('/')
  }
  const decoded = (text) => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  /** What a file has in it, as base64, while the page has room; it is asked for if it has not come yet. */
  const contentOf = (name) => {
    if (name !== undefined && !files.has(name)) wanted.add(name)
    const content = name === undefined ? undefined : files.get(name)
    if (content !== undefined) room -= content.length + leastFilled
    return room < 0 ? undefined : content
  }
  const textOf = (name) => {
    const content = contentOf(name)
    return content === undefined ? undefined : new TextDecoder().decode(Uint8Array.from(atob(content), (each) => each.charCodeAt(0)))
  }
  const addressOf = (name) => {
    const type = types[/\.(\w+)$/.exec(name ?? '')?.[1]?.toLowerCase()]
    const content = type === undefined ? undefined : contentOf(name)
    return content === undefined ? undefined : `data:${type};base64,${content}`
  }

  /** Styles with what they name in them. `from`: the file that they are in. */
  const wholeStyles = (text, from, depth = 0) =>
    text
      .replace(/@import\s+(?:url\(\s*)?(["']?)([^"'()\s;]+)\1\s*\)?([^;]*);/gi, (rule, _quote, address, media) => {
        const name = nameOf(address, from)
        const inner = depth < maxRounds ? textOf(name) : undefined
        if (inner === undefined) return name === undefined ? rule : ''
        const styles = wholeStyles(inner, name, depth + 1)
        return media.trim() === '' ? styles : `@media ${media.trim()} {${styles}}`
      })
      .replace(/url\(\s*(["']?)([^"'()]+)\1\s*\)/gi, (whole, _quote, address) => {
        const found = addressOf(nameOf(address, from))
        return found === undefined ? whole : `url("${found}")`
      })

  const inScript = (text) => text.replaceAll(/<(?=\/script|!--)/gi, '\\x3c')
  const inStyle = (text) => text.replaceAll(/<(?=\/style)/gi, '\\3c ')

  /** Puts what a page names into it. Done again when more has come. */
  const fill = (root) => {
    for (const link of root.querySelectorAll('link[rel~="stylesheet" i][href]')) {
      const name = nameOf(link.getAttribute('href'))
      const text = textOf(name)
      const style = (root.ownerDocument ?? root).createElement('style')
      if (link.media !== '') style.media = link.media
      style.textContent = text === undefined ? '' : inStyle(wholeStyles(text, name))
      link.replaceWith(style)
    }
    for (const style of root.querySelectorAll('style')) style.textContent = inStyle(wholeStyles(style.textContent, ''))
    for (const element of root.querySelectorAll('[style]')) element.setAttribute('style', wholeStyles(element.getAttribute('style'), ''))
    for (const script of root.querySelectorAll('script[src]')) fillScript(script, root)
    for (const name of ['src', 'poster', 'href', 'xlink:href'])
      for (const element of root.querySelectorAll(`:is(img, source, video, audio, track, input, image)[${name.replace(':', '\\:')}]`)) {
        const found = addressOf(nameOf(element.getAttribute(name)))
        if (found !== undefined) element.setAttribute(name, found)
      }
    for (const element of root.querySelectorAll('[srcset]')) element.removeAttribute('srcset')
    for (const element of root.querySelectorAll(refused)) element.remove()
    for (const template of root.querySelectorAll('template')) fill(template.content)
  }
  /** A script that would have waited for the page stands at its end. */
  const fillScript = (script, root) => {
    const text = textOf(nameOf(script.getAttribute('src')))
    if (text === undefined) return
    script.removeAttribute('src')
    script.textContent = inScript(text)
    if (script.hasAttribute('defer') && root.body) root.body.append(script)
  }

  /** A part of a document, also where the browser would give an element of that name instead. */
  const partOf = (page, name) => Reflect.get(Document.prototype, name, page)
  const parsed = (html) => new DOMParser().parseFromString(html, 'text/html')
  /** The page with all in it that has come; what it names beside that is wanted. */
  const pageOf = (html) => {
    const page = parsed(html)
    room = maxFilled
    fill(page)
    return page
  }
  const textOfPage = (page) => {
    const guard = document.createElement('script')
    guard.textContent = `(${guardPage})()`
    partOf(page, 'head').prepend(guard)
    return `${partOf(page, 'doctype') === null ? '' : '<!doctype html>'}${partOf(page, 'documentElement').outerHTML.replaceAll(refusedTags, '<x-')}`
  }

  let html
  let rounds = 0
  const goOn = () => {
    wanted.clear()
    const page = pageOf(html)
    rounds += 1
    if (wanted.size > 0 && rounds <= maxRounds) send(JSON.stringify({ kind: 'want', names: [...wanted].slice(0, 200) }))
    else show(textOfPage(page))
  }
  const show = (text) => {
    const frame = document.createElement('iframe')
    frame.setAttribute('sandbox', 'allow-scripts allow-forms')
    frame.title = document.title
    let isThere = false
    addEventListener('message', ({ source, data }) => {
      if (source === frame.contentWindow && data === 'loaded') isThere = true
    })
    // What was loaded without a word of the page is another one: the browser's own, which says that it may not be shown.
    frame.addEventListener('load', () =>
      setTimeout(() => {
        if (isThere) isThere = false
        else send(JSON.stringify({ kind: 'left' }))
      }, maxWordMs),
    )
    frame.srcdoc = text
    document.body.append(frame)
    send(JSON.stringify({ kind: 'shown' }))
  }
  const send = openFramePort('agent-service-page', (message) => {
    if (message.kind === 'page') html = message.html
    else for (const [name, content] of message.files) files.set(name, content ?? undefined)
    goOn()
  })
}
